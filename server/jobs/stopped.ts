/** Thrown when an import was cancelled or taken over by another node: this node stops without an error. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
