/** The import was withdrawn, or went on in other hands: nothing more is to be done here, and nothing went wrong. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}
