import type { LanguageOfLetters } from '../../contract/sign-in.ts';

/** What a person gets. */
export interface Letter {
  readonly language: LanguageOfLetters;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Carrier {
  /** Resolves when the next one on the way has it for certain. @throws NotSent */
  send(letter: Letter): Promise<void>;
  close(): void;
}

/** Says what went wrong without a word of the letter, nor whom it is for: mail servers quote addresses. */
export class NotSent extends Error {
  /** Trying again would end the same: the mail server knows no such mailbox. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(`letter not sent: ${reason}`);
    this.name = 'NotSent';
    this.isFinal = isFinal;
  }
}
