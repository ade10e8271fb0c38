/**
 * Gives the memory of a chunk back now. The garbage collector would only after a mark of the whole heap for every 64 MB that come in: that took more time
 * than receiving them. For chunks that nobody else holds; one that is only part of its buffer is left alone.
 */
export const freeChunk = (chunk: Uint8Array): void => {
  const { buffer } = chunk;
  if (buffer instanceof ArrayBuffer && chunk.byteLength === buffer.byteLength) buffer.transfer(0);
};
