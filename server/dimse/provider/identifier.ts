import type { DataSet } from '../../../dicom/data-set.ts';
import { DicomProblem } from '../../../dicom/problem.ts';
import { readElements } from '../../../dicom/read-elements.ts';
import { transferSyntaxes } from '../../../dicom/transfer-syntax.ts';
import type { Association } from '../association/association.ts';
import { type Message, statuses } from '../message/message.ts';
import { RequestRefused } from './services.ts';

/** A thousand UIDs. */
const maxIdentifierBytes = 64 << 10;

/** Returns the identifier of a query or retrieval, or the attributes of a step. @throws RequestRefused; AssociationError */
export const readIdentifier = async (
  association: Association,
  { contextId, dataSet }: Message,
  maxBytes = maxIdentifierBytes,
): Promise<DataSet> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of dataSet ?? (async function* (): AsyncGenerator<Buffer> {})()) {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
  }
  if (length > maxBytes) throw new RequestRefused(statuses.outOfResources, 'The identifier is too long');
  const bytes = Buffer.concat(parts, length);
  const source = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    explicitVr: association.contexts.get(contextId)?.transferSyntax === transferSyntaxes.explicitLittleEndian,
    littleEndian: true,
  };
  try {
    return readElements(source, 0, bytes.length, null, 0, { strict: true }).dataSet;
  } catch (problem) {
    if (!(problem instanceof DicomProblem)) throw problem;
    throw new RequestRefused(statuses.dataSetDoesNotMatch, 'The identifier is malformed');
  }
};
