"""A document cut into chunks along its sections; tables and code whole at every cut."""
