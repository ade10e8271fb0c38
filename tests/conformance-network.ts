import { maxAssociations } from '../server/dicom-gateway/open-gateway.ts';
import { statuses } from '../server/dimse/message/message.ts';
import { type Row, table } from './conformance-objects.ts';

type Cause = readonly [keyof typeof statuses, string];

/** Causes of every query and retrieval. */
const ofIdentifiers: readonly Cause[] = [
  [
    'dataSetDoesNotMatch',
    'the identifier is malformed, its level is unknown, a unique key is missing, or a value is none of its kind',
  ],
  ['unableToProcess', 'the archive failed; its log says why'],
  ['unrecognizedOperation', 'an operation outside the rights of the device'],
];

const causes: Readonly<Record<string, readonly Cause[]>> = {
  'C-STORE': [
    ['success', 'stored and recorded; also for an image that the clinic has'],
    ['outOfResources', 'no space, too large, files or database not available, the clinic takes no images: try again'],
    ['dataSetDoesNotMatch', 'the UIDs of the data set differ from those of the command'],
    ['cannotUnderstand', 'a UID or the data set is missing'],
    ['sopClassNotSupported', 'the SOP class is not that of the presentation context, or no storage class'],
    ['notAuthorized', 'the device may not send images, and this one was not asked for by C-MOVE'],
    ['processingFailure', 'the archive failed; its log says why'],
  ],
  'C-FIND': [
    ['success', 'all matches were returned'],
    ['pending', 'a match'],
    ['pendingWithoutKeys', 'a match; some keys with a value were not matched'],
    ['cancelled', 'C-CANCEL'],
    ['outOfResources', 'more than 5,000 matches, an identifier above 64 KiB, or the database is not available'],
    ...ofIdentifiers,
  ],
  'C-MOVE': [
    ['success', 'all objects were sent, or there are none'],
    ['pending', 'after each object but the last'],
    ['subOperationsFailed', 'some objects were not sent; the identifier names up to 900'],
    ['subOperationsImpossible', 'no object was sent, or the destination accepts no association'],
    ['destinationUnknown', 'no device of the clinic has this AE title and a port'],
    ['cancelled', 'C-CANCEL'],
    ['outOfResources', 'an identifier above 64 KiB, or the database is not available'],
    ...ofIdentifiers,
  ],
  'C-GET': [
    ['success', 'all objects were sent, or there are none'],
    ['pending', 'after each object but the last'],
    ['subOperationsFailed', 'some objects were not sent; the identifier names up to 900'],
    ['subOperationsImpossible', 'no object was sent'],
    ['cancelled', 'C-CANCEL'],
    ['outOfResources', 'an identifier above 64 KiB, or the database is not available'],
    ...ofIdentifiers,
  ],
};

const hex = (status: number): string => status.toString(16).toUpperCase().padStart(4, '0');

/** Statuses of the services, and what limits associations. */
export const statusesOfServices =
  (): string => `At most ${maxAssociations} associations are open at once; another one is rejected as transient (local limit exceeded).

${table(
  ['service', 'status', 'cause'],
  Object.entries(causes).flatMap(([service, rows]) =>
    rows.map(([name, cause]): Row => [service, hex(statuses[name]), cause]),
  ),
)}

Responses have no Specific Character Set where ASCII is enough, ISO_IR 100 where Latin-1 is enough, and else ISO_IR 192. Queries are read in the character set that
they name.`;
