"""What every page stands in: layout, assets, navigation, session state, shared resources, keys."""
