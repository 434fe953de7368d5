//! Streams of distinct grids by index, seed and shard.
