import type { CommandSet } from './command-set.ts';

/** Command fields (PS3.7 E.1). A response has bit 15 set. */
export const commandFields = {
  storeRequest: 0x0001,
  storeResponse: 0x8001,
  getRequest: 0x0010,
  findRequest: 0x0020,
  moveRequest: 0x0021,
  echoRequest: 0x0030,
  echoResponse: 0x8030,
  eventReportRequest: 0x0100,
  setRequest: 0x0120,
  actionRequest: 0x0130,
  createRequest: 0x0140,
  cancelRequest: 0x0fff,
} as const;

const responseBit = 0x8000;
export const isResponse = ({ commandField }: CommandSet): boolean => (commandField & responseBit) !== 0;
export const responseFieldOf = ({ commandField }: CommandSet): number => commandField | responseBit;

/** (0000,0800): only this value means that no data set follows; peers write many others for one that does. */
export const noDataSet = 0x0101;
export const withDataSet = 0x0001;
export const hasDataSet = ({ dataSetType }: CommandSet): boolean => dataSetType !== noDataSet;

/** Statuses of C-STORE (PS3.4 B.2.3), of steps (F.7.2), of queries and retrievals (PS3.4 C.4), and those of every service (PS3.7 annex C). */
export const statuses = {
  success: 0x0000,
  invalidAttributeValue: 0x0106,
  processingFailure: 0x0110,
  duplicateSopInstance: 0x0111,
  noSuchSopInstance: 0x0112,
  noSuchEventType: 0x0113,
  invalidArgumentValue: 0x0115,
  invalidObjectInstance: 0x0117,
  noSuchSopClass: 0x0118,
  missingAttribute: 0x0120,
  sopClassNotSupported: 0x0122,
  noSuchActionType: 0x0123,
  notAuthorized: 0x0124,
  unrecognizedOperation: 0x0211,
  resourceLimitation: 0x0213,
  outOfResources: 0xa700,
  subOperationsImpossible: 0xa702,
  destinationUnknown: 0xa801,
  dataSetDoesNotMatch: 0xa900,
  subOperationsFailed: 0xb000,
  cannotUnderstand: 0xc000,
  unableToProcess: 0xc001,
  cancelled: 0xfe00,
  pending: 0xff00,
  /** Pending; some keys of the query were not matched. */
  pendingWithoutKeys: 0xff01,
} as const;

/** Returns whether a peer has stored an object, with or without a warning (PS3.4 B.2.3). */
export const isStored = (status: number): boolean => status === statuses.success || (status & 0xf000) === 0xb000;

/** A DIMSE message as it arrives: the data set must be read to its end before the next message. */
export interface Message {
  readonly contextId: number;
  readonly command: CommandSet;
  /** Bytes in the transfer syntax of the context, as received; null without a data set. */
  readonly dataSet: AsyncIterable<Buffer> | null;
}
