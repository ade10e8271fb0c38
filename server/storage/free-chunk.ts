/**
 * Frees the memory of a chunk at once. The garbage collector would need a full heap mark for every 64 MB received, which took longer than
 * receiving. Only for chunks without other users; a chunk that is part of a larger buffer is left alone.
 */
export const freeChunk = (chunk: Uint8Array): void => {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && chunk.byteLength === buffer.byteLength) buffer.transfer(0);
};
