//! Input bytes to chunks, chunks to threads, results to output in order.
