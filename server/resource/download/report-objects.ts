import type { Kysely } from 'kysely';
import type { ReportComment } from '../../../dicom/structured-report/model.ts';
import { comprehensiveReportClass } from '../../../dicom/structured-report/model.ts';
import { writeReport } from '../../../dicom/structured-report/write-report.ts';
import type { Schema } from '../../db/schema.ts';
import { displaysOfImages, mountedImages, mountsOfImages } from '../../db/stores/mounts-to-export.ts';
import { type NoteRow, newestNotes } from '../../db/stores/notes.ts';
import { type MarksContent, marksContent } from '../../domain/structured-report/report-content.ts';
import { addedObjects } from './added-objects.ts';
import type { MediumAddition } from './dicom-medium.ts';
import type { NotExpressed, SentImage } from './gathered.ts';
import { type WrittenImage, writtenImage } from './written-images.ts';

/** An image on the medium with what is reported of it. */
interface Reported {
  readonly row: SentImage;
  readonly image: WrittenImage;
  readonly content: MarksContent;
}

/** Above the number of the series of presentations. */
const seriesNumber = 9002;

/** Drafts are not reported: their authors have not signed them. */
const commentOf = (note: NoteRow, images: readonly Reported[]): ReportComment => ({
  text: note.text,
  observer: { name: note.author_name, at: new Date(note.saved_at) },
  images: images.map(({ image }) => image.reference),
  point: null,
});

const reportedImages = async (
  db: Kysely<Schema>,
  sent: readonly SentImage[],
  written: ReadonlyMap<string, WrittenImage>,
): Promise<readonly Reported[]> => {
  const rows = await displaysOfImages(
    db,
    sent.map(({ id }) => id),
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  return sent.flatMap((row): Reported[] => {
    const [image, marks] = [written.get(row.sha256), stored.get(row.id)];
    if (!image || !marks) return [];
    const { reference, description } = image;
    return [{ row, image, content: marksContent({ reference, description, stored: marks }) }];
  });
};

/** Signed notes on these images and on their mounts, each with its images; and what is a draft. */
const notesOf = async (db: Kysely<Schema>, images: readonly Reported[]) => {
  const ofImages = await newestNotes(
    db,
    'image',
    images.map(({ row }) => row.id),
  );
  const mounts = await mountsOfImages(
    db,
    images.map(({ row }) => row.id),
  );
  const ids = mounts.map(({ id }) => id);
  const [ofMounts, mounted] = [await newestNotes(db, 'viewset', ids), await mountedImages(db, ids)];
  const patients = new Map(mounts.map(({ id, patient_id }) => [id, patient_id]));
  /** An image that was moved to another patient may still be in a mount: the note is not about that patient. */
  const about = (note: NoteRow): readonly Reported[] => {
    const inMount = new Set(mounted.filter((one) => one.viewset_id === note.subject_id).map((one) => one.image_id));
    const patientId = patients.get(note.subject_id);
    return images.filter(
      ({ row }) => row.id === note.subject_id || (inMount.has(row.id) && row.patient_id === patientId),
    );
  };
  return [...ofImages, ...ofMounts]
    .filter(({ state }) => state !== 'removed')
    .map((note) => ({ note, images: about(note) }))
    .filter((one) => one.images.length > 0);
};

/** Creates a structured report for each study on a medium that has measurements, texts or signed notes. */
export const reportObjects = (
  db: Kysely<Schema>,
): MediumAddition & { readonly notExpressed: () => readonly NotExpressed[] } => {
  const written = new Map<string, WrittenImage>();
  const notExpressed: NotExpressed[] = [];
  return {
    kind: 'SR',
    onWritten: ({ sha256 }, file, keys) => written.set(sha256, writtenImage(file, keys)),
    objects: async (sent, nameOf) => {
      const all = await reportedImages(db, sent, written);
      const notes = await notesOf(db, all);
      const list = addedObjects(nameOf, new Date(), seriesNumber);
      const studies = Map.groupBy(all, ({ row, image }) => JSON.stringify([row.patient_id, image.keys.study.uid]));
      for (const images of studies.values()) {
        const [first] = images;
        if (!first) continue;
        const own = notes.filter((one) => images.some((image) => one.images[0] === image));
        const signed = own.filter(({ note }) => note.state === 'signed');
        const measurements = images.flatMap(({ content }) => content.measurements);
        const comments = [
          ...signed.map(({ note, images: about }) => commentOf(note, about)),
          ...images.flatMap(({ content }) => content.comments),
        ];
        const parts = [
          ...images.flatMap(({ content }) => content.notExpressed),
          ...own.filter(({ note }) => note.state === 'draft').map(() => 'draft-note' as const),
        ];
        // A report without content would say nothing; what it lacks is listed without a file.
        const isEmpty = measurements.length + comments.length === 0;
        const library = new Map(
          [...images, ...signed.flatMap((one) => one.images)].map(({ image }) => [
            image.reference.sopInstanceUid,
            { reference: image.reference, modality: image.keys.series.modality },
          ]),
        );
        const added = isEmpty
          ? null
          : list.add({
              owner: first.image.keys,
              sopClassUid: comprehensiveReportClass,
              description: '',
              write: (object) =>
                writeReport({
                  owner: first.image.keys,
                  object,
                  images: [...library.values()],
                  measurements,
                  comments,
                }),
              references: [],
            });
        notExpressed.push(...parts.map((part) => ({ file: added?.file ?? '', slot: null, part })));
      }
      return list.objects;
    },
    notExpressed: () => notExpressed,
  };
};
