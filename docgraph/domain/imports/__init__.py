"""What stands between a folder of documents and a workspace: how it is read, what changed, what goes back."""
