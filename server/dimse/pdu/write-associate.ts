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
import { pduHeaderBytes, pduTypes } from './pdu.ts';

const item = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(4);
  header.writeUInt8(type, 0);
  header.writeUInt16BE(body.length, 2);
  return Buffer.concat([header, body]);
};

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

const proposedContext = ({ id, abstractSyntax, transferSyntaxes }: ProposedContext): Buffer =>
  item(
    itemTypes.proposedContext,
    Buffer.from([id, 0, 0, 0]),
    item(itemTypes.abstractSyntax, text(abstractSyntax)),
    ...transferSyntaxes.map((uid) => item(itemTypes.transferSyntax, text(uid))),
  );

const answeredContext = ({ id, result, transferSyntax }: AnsweredContext): Buffer =>
  item(
    itemTypes.answeredContext,
    Buffer.from([id, 0, result, 0]),
    item(itemTypes.transferSyntax, text(transferSyntax)),
  );

const roleSelection = ({ sopClassUid, isUser, isProvider }: RoleSelection): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(sopClassUid.length);
  return item(itemTypes.roleSelection, length, text(sopClassUid), Buffer.from([isUser ? 1 : 0, isProvider ? 1 : 0]));
};

const userInformation = (pdu: AssociatePdu<unknown>): Buffer => {
  const maximum = Buffer.alloc(4);
  maximum.writeUInt32BE(pdu.maxPduBytes);
  const name = pdu.implementationVersionName;
  return item(
    itemTypes.userInformation,
    item(itemTypes.maximumLength, maximum),
    item(itemTypes.implementationClassUid, text(pdu.implementationClassUid)),
    ...pdu.roles.map(roleSelection),
    ...(name ? [item(itemTypes.implementationVersionName, text(name))] : []),
  );
};

const writeAssociate = (type: number, pdu: AssociatePdu<unknown>, contexts: readonly Buffer[]): Buffer => {
  const fixed = Buffer.alloc(fixedBytes);
  fixed.writeUInt16BE(pdu.protocolVersion, 0);
  fixed.write(pdu.calledAeTitle.padEnd(16), 4, 16, 'latin1');
  fixed.write(pdu.callingAeTitle.padEnd(16), 20, 16, 'latin1');
  const application = item(itemTypes.applicationContext, text(pdu.applicationContext));
  const body = Buffer.concat([fixed, application, ...contexts, userInformation(pdu)]);
  const header = Buffer.alloc(pduHeaderBytes);
  header.writeUInt8(type, 0);
  header.writeUInt32BE(body.length, 2);
  return Buffer.concat([header, body]);
};

/** Writes an A-ASSOCIATE-RQ PDU (PS3.8 9.3.2). */
export const associateRequestPdu = (request: AssociateRequest): Buffer =>
  writeAssociate(pduTypes.associateRequest, request, request.contexts.map(proposedContext));

/** Writes an A-ASSOCIATE-AC PDU (PS3.8 9.3.3). */
export const associateAcceptPdu = (accept: AssociateAccept): Buffer =>
  writeAssociate(pduTypes.associateAccept, accept, accept.contexts.map(answeredContext));
