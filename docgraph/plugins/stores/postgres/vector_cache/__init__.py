"""The in-process vector cache: quantized codes and words of workspaces, searched here; the server rescores."""
