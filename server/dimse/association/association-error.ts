import type { AssociationEnd } from './association.machine.ts';

/** Thrown when a peer is needed whose association is over. The message is for the log; it holds no patient data. */
export class AssociationError extends Error {
  override readonly name = 'AssociationError';
  readonly end: AssociationEnd;

  constructor(end: AssociationEnd, message: string) {
    super(message);
    this.end = end;
  }
}
