/** A presentation context of a request: what is to be exchanged, and in which encodings (PS3.8 9.3.2.2). */
export interface ProposedContext {
  /** Odd, 1 to 255. */
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntaxes: readonly string[];
}

/** 0 accepted, 1 rejected by the user, 2 no reason, 3 abstract syntax, 4 transfer syntaxes not supported (PS3.8 table 9-18). */
export const contextResults = { accepted: 0, noReason: 2, abstractSyntax: 3, transferSyntaxes: 4 } as const;

/** The answer to a proposed context. */
export interface AnsweredContext {
  readonly id: number;
  readonly result: number;
  /** Only meaningful in an accepted context. */
  readonly transferSyntax: string;
}

/** SCP/SCU role selection (PS3.7 D.3.3.4), seen from the requestor. */
export interface RoleSelection {
  readonly sopClassUid: string;
  readonly isUser: boolean;
  readonly isProvider: boolean;
}

export interface AssociatePdu<Context> {
  readonly protocolVersion: number;
  readonly calledAeTitle: string;
  readonly callingAeTitle: string;
  readonly applicationContext: string;
  readonly contexts: readonly Context[];
  /** Largest P-DATA-TF that the sender accepts, without its six bytes of header; 0 for any. */
  readonly maxPduBytes: number;
  readonly implementationClassUid: string;
  readonly implementationVersionName: string | null;
  readonly roles: readonly RoleSelection[];
}

export type AssociateRequest = AssociatePdu<ProposedContext>;
export type AssociateAccept = AssociatePdu<AnsweredContext>;

/** The DICOM application context (PS3.7 A.2.1). */
export const dicomApplicationContext = '1.2.840.10008.3.1.1.1';
export const protocolVersion = 1;

/** Types of items and sub-items (PS3.8 9.3.2, PS3.7 D.3.3). */
export const itemTypes = {
  applicationContext: 0x10,
  proposedContext: 0x20,
  answeredContext: 0x21,
  abstractSyntax: 0x30,
  transferSyntax: 0x40,
  userInformation: 0x50,
  maximumLength: 0x51,
  implementationClassUid: 0x52,
  roleSelection: 0x54,
  implementationVersionName: 0x55,
} as const;

/** Bytes of the fixed part of the body: version, AE titles and reserved fields. */
export const fixedBytes = 68;
