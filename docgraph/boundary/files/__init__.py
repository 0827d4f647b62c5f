"""Files that people name: opened once, never by way of a link that was not named, read within bounds."""
