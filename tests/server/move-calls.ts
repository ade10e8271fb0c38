import { expect } from 'vitest';
import { type Movable, movePreview } from '../../contract/moves.ts';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import type { ArchiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

interface MoveRequest {
  readonly what: Movable;
  readonly id: string | undefined;
  readonly patientFromId?: string;
  readonly patientToId?: string;
  readonly as?: string;
}
interface Running {
  readonly archive: ArchiveUnderTest;
  readonly from: string;
  readonly to: string;
}

/** Returns the status and the problem code of a reply. */
export const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];

/** Files of studies with unique identifiers. */
export const studyFiles = () => {
  let count = 0;
  const newUid = () => {
    count += 1;
    return `2.25.6${count}`;
  };
  /** DICOM files of one study: that many series with that many images. */
  const files = (series: number, images: number, study = newUid(), part = '') =>
    Object.fromEntries(
      Array.from({ length: series }, (_, at) => at).flatMap((at) =>
        Array.from({ length: images }, (_, index) => [
          `${at}-${index}${part}.dcm`,
          smallObject({
            StudyInstanceUID: study,
            SeriesInstanceUID: `${study}.${at}`,
            SOPInstanceUID: `${study}.${at}.${index}${part}`,
            InstanceNumber: index + 1,
            StudyDate: '20260601',
          }),
        ]),
      ),
    );
  return { newUid, files };
};

/** Imports, moves and reads the records of two patients of an archive. */
export const moveCalls = (running: () => Running) => {
  const importAll = async (...args: Parameters<ArchiveUnderTest['importAll']>) => {
    const task = await running().archive.importAll(...args);
    await running().archive.archive.thumbnails.idle();
    return task;
  };

  const requestPreview = ({ as, ...request }: MoveRequest) => {
    const query = new URLSearchParams({
      patientFromId: running().from,
      patientToId: running().to,
      ...request,
      id: request.id ?? '',
    });
    return running().archive.call(`/resource/move/preview?${query}`, { ...(as && { as }) });
  };
  const preview = async (request: MoveRequest) => movePreview.parse(await (await requestPreview(request)).json());
  const move = ({ as, ...request }: MoveRequest & { readonly studyToId?: string | null; readonly seen?: string }) =>
    running().archive.post(
      '/resource/move',
      { patientFromId: running().from, patientToId: running().to, studyToId: null, ...request },
      as,
    );
  const back = (request: MoveRequest & { readonly studyToId?: string | null }) =>
    move({ patientFromId: running().to, patientToId: running().from, ...request });

  const newViewset = async (patientUID: string, study: Study | undefined) => {
    const slot = { xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] };
    const reply = await running().archive.post('/resource/viewset/', {
      patientUID,
      currentStudyUID: study?.uid,
      currentViewsetUID: null,
      viewSetItems: [slot, { ...slot, xPos: 100 }],
    });
    return (await reply.json()) as { viewSetUuid: string };
  };
  const mount = async (viewsetUid: string, itemIndex: number, imageUid: string | undefined) => {
    const reply = await running().archive.post('/resource/viewset/image/mount', { viewsetUid, itemIndex, imageUid });
    expect(reply.status).toBe(200);
  };
  const mounted = async (viewsetId: string): Promise<(string | undefined)[]> => {
    const shown = await (await running().archive.call(`/resource/viewset/${viewsetId}`)).json();
    return shown.viewSetItems.map((item: { activeImage: { uid: string } | null }) => item.activeImage?.uid);
  };
  const entriesOf = (patientId: string) =>
    running()
      .archive.db.selectFrom('access_log')
      .select(['action', 'object_id', 'account_id'])
      .where('patient_id', '=', patientId)
      .where('action', 'in', ['study.moved', 'series.moved', 'image.moved-to-patient'])
      .execute();
  const galleryOf = async (imageIds: readonly string[]) =>
    (
      await running()
        .archive.db.selectFrom('gallery_image')
        .select('patient_id')
        .where('image_id', 'in', [...imageIds])
        .execute()
    ).map((row) => row.patient_id);
  return { importAll, requestPreview, preview, move, back, newViewset, mount, mounted, entriesOf, galleryOf };
};
