import type { FastifyReply } from 'fastify';
import { type NotExpressedPart, notExpressedHeader, notExpressedText } from '../../../contract/display-objects.ts';
import { type imageDownload, leftOutHeader, maxImagesNamed } from '../../../contract/gallery.ts';
import type { BodyOf } from '../../../contract/route.ts';
import type { ImageToDownload } from '../../db/stores/downloads.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { Pace } from '../../storage/file-store.ts';
import { type ZippedFile, zipFiles } from '../../storage/zip-files.ts';
import type { ResourceDependencies } from '../dependencies.ts';
import { anonymisingWriter } from './anonymised-image.ts';
import { gatherMedium, originalWriter } from './dicom-medium.ts';
import { displayObjects } from './display-objects.ts';
import { type Gathered, leftOutFile, notExpressedFile } from './gathered.ts';
import { gatherOriginals } from './original-files.ts';
import { pictureIndex } from './picture-index.ts';
import { plainWriter } from './plain-writer.ts';
import { reportObjects } from './report-objects.ts';

const gatherAnonymised = async (
  deps: ResourceDependencies,
  rows: readonly ImageToDownload[],
  confirmedBurnedIn: number,
  pace: Pace,
): Promise<Gathered> => {
  const writer = anonymisingWriter(deps.files, rows);
  const gathered = await gatherMedium(deps, rows, writer, pace);
  if (writer.burnedIn() > confirmedBurnedIn) throw new ProblemError('conflict');
  return gathered;
};

type GatherRequest = Pick<
  BodyOf<typeof imageDownload>,
  'content' | 'confirmedBurnedIn' | 'displayObjects' | 'reportObjects' | 'uncompressed' | 'pictureIndex' | 'language'
>;

/** What presentations lack and reports have. */
const partsOfReports: readonly NotExpressedPart[] = ['values', 'note'];

const gatherDicom = async (
  deps: ResourceDependencies,
  rows: readonly ImageToDownload[],
  {
    displayObjects: hasDisplays,
    reportObjects: hasReports,
    uncompressed,
    pictureIndex: hasIndex,
    language,
  }: GatherRequest,
  pace: Pace,
): Promise<Gathered> => {
  if (hasIndex && rows.length > maxImagesNamed)
    throw new ProblemError('too-many-files', [{ fieldKey: 'pictureIndex', vars: { max: maxImagesNamed } }]);
  const writer = uncompressed ? plainWriter(deps.files, deps.storedImaging) : originalWriter(deps.files);
  const [displays, reports] = [displayObjects(deps.db), reportObjects(deps.db)];
  const additions = [...(hasDisplays ? [displays] : []), ...(hasReports ? [reports] : [])];
  const gathered = await gatherMedium(deps, rows, writer, pace, additions);
  const index = hasIndex ? await pictureIndex(deps, gathered.sent, language ?? 'sv', pace) : [];
  const ofDisplays = displays.notExpressed().filter(({ part }) => !hasReports || !partsOfReports.includes(part));
  return {
    ...gathered,
    zipped: [...gathered.zipped, ...index],
    notExpressed: [...ofDisplays, ...reports.notExpressed()],
  };
};

/** Gathers the content of a download. @throws ProblemError 'conflict' when more images may have text in them than were confirmed; 'too-many-files' */
export const gather = (
  deps: ResourceDependencies,
  request: GatherRequest,
  rows: readonly ImageToDownload[],
  pace: Pace,
): Promise<Gathered> => {
  const { content, confirmedBurnedIn } = request;
  if (content === 'anonymised') return gatherAnonymised(deps, rows, confirmedBurnedIn ?? 0, pace);
  if (content === 'dicom') return gatherDicom(deps, rows, request, pace);
  return gatherOriginals(deps, rows, pace);
};

/** Sends a zip of the files, and of a list of those left out. */
export const sendZip = (
  reply: FastifyReply,
  { zipped, leftOut, notExpressed = [] }: Gathered,
  added: readonly ZippedFile[],
): FastifyReply => {
  const listed = leftOut.length > 0 ? [leftOutFile(leftOut)] : [];
  const notes = notExpressed.length > 0 ? [notExpressedFile(notExpressed)] : [];
  const { stream, sizeBytes } = zipFiles([...zipped, ...added, ...listed, ...notes]);
  const counts = new Map(
    [...Map.groupBy(notExpressed, ({ part }) => part)].map(([part, { length }]) => [part, length]),
  );
  return reply
    .headers({
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="images.zip"',
      'content-length': sizeBytes,
      [leftOutHeader]: leftOut.length,
      ...(counts.size > 0 && { [notExpressedHeader]: notExpressedText(counts) }),
      'x-content-type-options': 'nosniff',
    })
    .type('application/zip')
    .send(stream);
};

/** Stops the reading of files when the client has gone. */
export const whileConnected =
  (reply: FastifyReply): Pace =>
  async () => {
    if (reply.raw.destroyed) throw new Error('the client has gone');
  };
