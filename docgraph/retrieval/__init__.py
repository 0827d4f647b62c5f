"""The retrieval module of the contract: route, gather, merge, calibrate, rerank, decide the branch, emit the packet."""
