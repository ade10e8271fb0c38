import {
  type AnsweredContext,
  type AssociateAccept,
  type AssociatePdu,
  type AssociateRequest,
  fixedBytes,
  itemTypes,
  type ProposedContext,
  type RoleSelection,
} from './associate.ts';
import { abortReasons, PduProblem } from './pdu.ts';

interface Item {
  readonly type: number;
  readonly body: Buffer;
}

const maxItems = 4096;

const invalid = (message: string): PduProblem => new PduProblem(abortReasons.invalidParameter, message);

const itemsIn = (bytes: Buffer): readonly Item[] => {
  const items: Item[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) throw invalid('An item ends inside its header');
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw invalid('An item is longer than what holds it');
    if (items.length >= maxItems) throw invalid('There are too many items');
    items.push({ type: bytes.readUInt8(at), body: bytes.subarray(at + 4, end) });
    at = end;
  }
  return items;
};

const isUid = (text: string): boolean => text.length <= 64 && /^[0-9]+(\.[0-9]+)*$/.test(text);

/** Some writers pad to even length, which PS3.8 F.2 forbids. */
const uidOf = (body: Buffer): string => {
  const text = body.toString('latin1').replace(/[\0 ]+$/, '');
  if (!isUid(text)) throw invalid('A UID is malformed');
  return text;
};

const aeTitleOf = (body: Buffer): string => {
  const text = body.toString('latin1').replace(/\0+$/, '').trim();
  if (!/^[\x20-\x5b\x5d-\x7e]{1,16}$/.test(text)) throw invalid('An AE title is malformed');
  return text;
};

const oneOf = (items: readonly Item[], type: number, name: string): Buffer => {
  const [first, second] = items.filter((item) => item.type === type);
  if (!first || second) throw invalid(`There is not exactly one ${name}`);
  return first.body;
};

const contextId = (body: Buffer): number => {
  if (body.length < 4) throw invalid('A presentation context is too short');
  const id = body.readUInt8(0);
  if (id % 2 === 0) throw invalid('The id of a presentation context is even');
  return id;
};

const proposedContext = (body: Buffer): ProposedContext => {
  const id = contextId(body);
  const items = itemsIn(body.subarray(4));
  const transferSyntaxes = items
    .filter(({ type }) => type === itemTypes.transferSyntax)
    .map((item) => uidOf(item.body));
  if (transferSyntaxes.length === 0) throw invalid('A presentation context has no transfer syntax');
  return { id, abstractSyntax: uidOf(oneOf(items, itemTypes.abstractSyntax, 'abstract syntax')), transferSyntaxes };
};

/** The transfer syntax of a rejected context is not significant, and often empty (PS3.8 9.3.3.2). */
const answeredContext = (body: Buffer): AnsweredContext => {
  const id = contextId(body);
  const result = body.readUInt8(2);
  if (result !== 0) return { id, result, transferSyntax: '' };
  return { id, result, transferSyntax: uidOf(oneOf(itemsIn(body.subarray(4)), itemTypes.transferSyntax, 'syntax')) };
};

const roleSelection = ({ body }: Item): RoleSelection => {
  const length = body.length < 2 ? 0 : body.readUInt16BE(0);
  if (body.length !== length + 4) throw invalid('A role selection is malformed');
  return {
    sopClassUid: uidOf(body.subarray(2, 2 + length)),
    isUser: body.readUInt8(2 + length) === 1,
    isProvider: body.readUInt8(3 + length) === 1,
  };
};

const maximumLength = (items: readonly Item[]): number => {
  const body = oneOf(items, itemTypes.maximumLength, 'maximum length');
  if (body.length !== 4) throw invalid('The maximum length is malformed');
  return body.readUInt32BE(0);
};

const versionName = (items: readonly Item[]): string | null => {
  const body = items.find(({ type }) => type === itemTypes.implementationVersionName)?.body;
  return body
    ? body
        .toString('latin1')
        .replaceAll(/[^\x20-\x7e]/g, '')
        .slice(0, 16)
        .trim()
    : null;
};

const readAssociate = <Context extends { readonly id: number }>(
  body: Buffer,
  contextType: number,
  readContext: (body: Buffer) => Context,
): AssociatePdu<Context> => {
  if (body.length < fixedBytes) throw invalid('The A-ASSOCIATE PDU is too short');
  const items = itemsIn(body.subarray(fixedBytes));
  const contexts = items.filter(({ type }) => type === contextType).map((item) => readContext(item.body));
  if (contexts.length === 0) throw invalid('There is no presentation context');
  if (new Set(contexts.map(({ id }) => id)).size < contexts.length) throw invalid('Presentation contexts share an id');
  const user = itemsIn(oneOf(items, itemTypes.userInformation, 'user information'));
  return {
    protocolVersion: body.readUInt16BE(0),
    calledAeTitle: aeTitleOf(body.subarray(4, 20)),
    callingAeTitle: aeTitleOf(body.subarray(20, 36)),
    applicationContext: uidOf(oneOf(items, itemTypes.applicationContext, 'application context')),
    contexts,
    maxPduBytes: maximumLength(user),
    implementationClassUid: uidOf(oneOf(user, itemTypes.implementationClassUid, 'implementation class UID')),
    implementationVersionName: versionName(user),
    roles: user.filter(({ type }) => type === itemTypes.roleSelection).map(roleSelection),
  };
};

/** Reads the body of an A-ASSOCIATE-RQ PDU. Unknown items are ignored. @throws PduProblem */
export const readAssociateRequest = (body: Buffer): AssociateRequest =>
  readAssociate(body, itemTypes.proposedContext, proposedContext);

/** Reads the body of an A-ASSOCIATE-AC PDU. Unknown items are ignored. @throws PduProblem */
export const readAssociateAccept = (body: Buffer): AssociateAccept =>
  readAssociate(body, itemTypes.answeredContext, answeredContext);
