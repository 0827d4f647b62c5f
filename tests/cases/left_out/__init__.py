"""Files that are left out: by the folder's .gitignore files and by patterns that were given."""
