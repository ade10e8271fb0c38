import type { Abort } from '../association/association.machine.ts';

/** PDU types (PS3.8 9.3.1). */
export const pduTypes = {
  associateRequest: 1,
  associateAccept: 2,
  associateReject: 3,
  data: 4,
  releaseRequest: 5,
  releaseReply: 6,
  abort: 7,
} as const;

export type PduType = (typeof pduTypes)[keyof typeof pduTypes];

/** Reasons of an A-ABORT by the service provider (PS3.8 table 9-26). */
export const abortReasons = {
  notSpecified: 0,
  unrecognizedPdu: 1,
  unexpectedPdu: 2,
  unrecognizedParameter: 4,
  unexpectedParameter: 5,
  invalidParameter: 6,
} as const;

/** Thrown for a PDU that breaks PS3.8 or a limit; the association is aborted with `reason`. The message holds no value of the PDU. */
export class PduProblem extends Error {
  override readonly name = 'PduProblem';
  readonly reason: number;

  constructor(reason: number, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Result, source and reason of an A-ASSOCIATE-RJ PDU (PS3.8 table 9-21). */
export interface Rejection {
  readonly result: number;
  readonly source: number;
  readonly reason: number;
}

export const rejections = {
  noReason: { result: 1, source: 1, reason: 1 },
  applicationContext: { result: 1, source: 1, reason: 2 },
  callingAeTitle: { result: 1, source: 1, reason: 3 },
  calledAeTitle: { result: 1, source: 1, reason: 7 },
  protocolVersion: { result: 1, source: 2, reason: 2 },
  congestion: { result: 2, source: 3, reason: 1 },
  localLimit: { result: 2, source: 3, reason: 2 },
} as const satisfies Readonly<Record<string, Rejection>>;

export interface PduHeader {
  readonly type: PduType;
  readonly length: number;
}

export const pduHeaderBytes = 6;
/** Far above 128 contexts with every transfer syntax of the standard. */
const maxAssociateBytes = 1 << 20;
const smallBytes = 4;

const isKnown = (type: number): type is PduType => type >= pduTypes.associateRequest && type <= pduTypes.abort;

const ensureLength = ({ type, length }: PduHeader, maxDataBytes: number): void => {
  const isAssociate = type === pduTypes.associateRequest || type === pduTypes.associateAccept;
  const most = isAssociate ? maxAssociateBytes : type === pduTypes.data ? maxDataBytes : smallBytes;
  if (length > most) throw new PduProblem(abortReasons.invalidParameter, `A PDU of type ${type} is too long`);
  if (length < smallBytes) throw new PduProblem(abortReasons.invalidParameter, `A PDU of type ${type} is too short`);
};

/** Reads type and length of a PDU from its first six bytes. @throws PduProblem for unknown types and lengths beyond the limits */
export const readPduHeader = (bytes: Buffer, maxDataBytes: number): PduHeader => {
  const type = bytes.readUInt8(0);
  if (!isKnown(type)) throw new PduProblem(abortReasons.unrecognizedPdu, `The PDU type ${type} is unknown`);
  const header = { type, length: bytes.readUInt32BE(2) };
  ensureLength(header, maxDataBytes);
  return header;
};

const small = (type: PduType, body: readonly [number, number, number, number]): Buffer =>
  Buffer.from([type, 0, 0, 0, 0, smallBytes, ...body]);

export const rejectPdu = ({ result, source, reason }: Rejection): Buffer =>
  small(pduTypes.associateReject, [0, result, source, reason]);
export const releaseRequestPdu = (): Buffer => small(pduTypes.releaseRequest, [0, 0, 0, 0]);
export const releaseReplyPdu = (): Buffer => small(pduTypes.releaseReply, [0, 0, 0, 0]);
export const abortPdu = ({ source, reason }: Abort): Buffer => small(pduTypes.abort, [0, 0, source, reason]);

/** Reads the body of an A-ASSOCIATE-RJ PDU. */
export const readRejection = (body: Buffer): Rejection => ({
  result: body.readUInt8(1),
  source: body.readUInt8(2),
  reason: body.readUInt8(3),
});
