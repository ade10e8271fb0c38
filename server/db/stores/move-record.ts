import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { importSteps } from '../../../contract/imports.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import { derivedUid } from '../../domain/derived-uid.ts';
import type { Schema } from '../schema.ts';
import { lockRecords } from './lock-records.ts';
import { importsOfStudy, type Move, moveNow, type RecordToMove } from './move-preview.ts';
import { recountLastStudy } from './patients.ts';
import { recordChanges, type ValueChange } from './record-changes.ts';
import { incrementVersions, type ViewsetVersion } from './record-edits.ts';
import { ensureSeries, ensureStudy } from './studies.ts';
import { unmountOthersImages } from './unmount-others.ts';

export interface MoveRequest extends Move {
  readonly studyTo: string | null;
  readonly seen: string | undefined;
  readonly accountId: string;
}

export interface MovedRecord {
  readonly id: string;
  readonly studyId: string;
  readonly studyFromId: string;
  /** Changed viewsets with their patients. */
  readonly viewsets: readonly (ViewsetVersion & { readonly patientId: string })[];
}

type MoveOutcome = MovedRecord | 'gone' | 'changed';
type Trx = Transaction<Schema>;

/** Locks the series and images that a move changes, before the patients, in the common lock order. */
const lockMoving = async (transaction: Trx, { what, id, studyTo }: MoveRequest): Promise<void> => {
  if (what === 'study') return;
  await transaction
    .selectFrom('series')
    .select('id')
    .where((where) =>
      where.or([
        where('study_id', '=', studyTo),
        where('id', 'in', where.selectFrom('image').select('series_id').where('image.id', '=', id)),
        where('id', '=', id),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await transaction
    .selectFrom('image')
    .select('id')
    .where(what === 'image' ? 'id' : 'series_id', '=', id)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
};

/** An import started for the first patient is reassigned when it contains nothing else for that patient. */
const moveTask = (transaction: Trx, move: Move, taskId: string) =>
  sql`
    update import_task set patient_id = ${move.to} where id = ${taskId} and patient_id = ${move.from}
      and not exists (select from import_study where task_id = ${taskId} and patient_id = ${move.from})`.execute(
    transaction,
  );

const moveStudy = async (transaction: Trx, move: Move, record: RecordToMove): Promise<void> => {
  for (const { taskId, key } of await importsOfStudy(transaction, move.from, record.study_uid)) {
    await sql`
      update import_study set patient_id = ${move.to},
        mismatch_confirmed = import_study.mismatch_confirmed and import_task.step > ${importSteps.validation}
      from import_task where import_task.id = task_id and task_id = ${taskId} and key = ${key}`.execute(transaction);
    await moveTask(transaction, move, taskId);
  }
  await transaction
    .updateTable('study')
    .set({ patient_id: move.to, deleted_at: null, deleted_by: null, version: sql`version + 1` })
    .where('id', '=', move.id)
    .execute();
};

/** Returns the chosen study of the other patient, restored if deleted; or a new one like the source. Null: not a study of that patient. */
const studyToOf = async (
  transaction: Trx,
  { studyTo, to }: MoveRequest,
  record: RecordToMove,
): Promise<{ readonly id: string; readonly uid: string } | null> => {
  if (studyTo !== null) {
    const chosen = await transaction
      .updateTable('study')
      .set({ deleted_at: null, deleted_by: null })
      .where('id', '=', studyTo)
      .where('patient_id', '=', to)
      .returning(['id', 'uid'])
      .executeTakeFirst();
    return chosen ?? null;
  }
  const source = await transaction
    .selectFrom('study')
    .select(['description', 'study_date'])
    .where('id', '=', record.study_id)
    .executeTakeFirstOrThrow();
  const uid = uidOfUuid(randomUUID());
  const { id } = await ensureStudy(transaction, {
    customerId: record.customer_id,
    patientId: to,
    uid,
    description: source.description,
    studyDate: source.study_date,
    accessionNumber: null,
  });
  return { id, uid };
};

interface Destination {
  readonly study: { readonly id: string; readonly uid: string };
  readonly record: RecordToMove;
}

/** Origin UIDs in the files of a series, and the UID that it gets in the target study. */
const seriesOf = async (transaction: Trx, { study, record }: Destination) => {
  const series = await transaction
    .selectFrom('series')
    .selectAll()
    .where('id', '=', record.series_id)
    .executeTakeFirstOrThrow();
  const origin = {
    study: series.origin_study_uid ?? record.study_uid,
    series: series.origin_series_uid ?? series.uid,
  };
  return { series, origin, isHome: study.uid === origin.study };
};

const findSeries = (transaction: Trx, studyId: string, uid: string) =>
  transaction
    .selectFrom('series')
    .select('id')
    .where('study_id', '=', studyId)
    .where('uid', '=', uid)
    .executeTakeFirst();

/** A series keeps its UID. If the target has a series of the same origin, such as one of an image that returns, they are joined. */
const moveSeries = async (transaction: Trx, destination: Destination): Promise<string> => {
  const { study } = destination;
  const { series, origin, isHome } = await seriesOf(transaction, destination);
  const uid = isHome ? origin.series : series.uid;
  const there = await findSeries(transaction, study.id, uid);
  if (there) {
    await transaction
      .updateTable('series')
      .set({ deleted_at: null, deleted_by: null })
      .where('id', '=', there.id)
      .execute();
    await transaction.updateTable('image').set({ series_id: there.id }).where('series_id', '=', series.id).execute();
    await transaction.deleteFrom('series').where('id', '=', series.id).execute();
    return there.id;
  }
  await transaction
    .updateTable('series')
    .set({
      study_id: study.id,
      uid,
      deleted_at: null,
      deleted_by: null,
      origin_study_uid: isHome ? null : origin.study,
      origin_series_uid: isHome ? null : origin.series,
    })
    .where('id', '=', series.id)
    .execute();
  return series.id;
};

/** An image gets a series with a UID of its own: a Series Instance UID identifies only one series (PS3.3 C.7.3.1). */
const moveImage = async (transaction: Trx, destination: Destination, imageId: string): Promise<void> => {
  const { study } = destination;
  const { series, origin, isHome } = await seriesOf(transaction, destination);
  const seriesId = await ensureSeries(transaction, {
    studyId: study.id,
    uid: isHome ? origin.series : derivedUid('series', `${origin.study} ${origin.series} ${study.uid}`),
    modality: series.modality,
    number: series.number,
    description: series.description,
  });
  if (!isHome)
    await transaction
      .updateTable('series')
      .set({ origin_study_uid: origin.study, origin_series_uid: origin.series })
      .where('id', '=', seriesId)
      .execute();
  await transaction
    .updateTable('image')
    .set({ series_id: seriesId, deleted_at: null, deleted_by: null, version: sql`version + 1` })
    .where('id', '=', imageId)
    .execute();
  await transaction
    .deleteFrom('series')
    .where('id', '=', series.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('image').select('image.id').where('image.series_id', '=', series.id))),
    )
    .execute();
};

const ownersOf = (transaction: Trx, ids: readonly string[]) =>
  transaction
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select(['viewset.id', 'viewset.study_id', 'study.patient_id'])
    .where('viewset.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('viewset.deleted_at', 'is', null)
    .execute();

/** Returns the change of patient of a moved study, or of each moved image, deleted or not. */
const patientChanges = async (transaction: Trx, { what, id, from, to }: Move): Promise<ValueChange[]> => {
  const patient = { field: 'patient', before: from, after: to } as const;
  if (what === 'study') return [{ ...patient, subject: 'study', id }];
  const images = await transaction
    .selectFrom('image')
    .select('id')
    .where(what === 'image' ? 'id' : 'series_id', '=', id)
    .execute();
  return images.map((image) => ({ ...patient, subject: 'image', id: image.id }));
};

/**
 * Moves one record to another patient of the same clinic, restores it if deleted, and unmounts it wherever it would show one patient's image
 * in another's viewset. Unfinished imports of a moved study follow it.
 */
export const moveRecord = async (transaction: Trx, request: MoveRequest): Promise<MoveOutcome> => {
  const { studyTo, seen, accountId, ...move } = request;
  const held = await lockRecords(transaction, move, {
    studyTo,
    fromBin: move.what === 'study',
    lockWithin: () => lockMoving(transaction, request),
  });
  if (!held) return 'gone';
  const now = await moveNow(transaction, move);
  if (!now || (seen !== undefined && now.seen !== seen)) return 'changed';
  const { record } = now;
  await recordChanges(transaction, accountId, await patientChanges(transaction, move));
  let { id } = move;
  let studyId = record.study_id;
  if (move.what === 'study') await moveStudy(transaction, move, record);
  else {
    const study = await studyToOf(transaction, request, record);
    if (!study) return 'changed';
    studyId = study.id;
    if (move.what === 'series') id = await moveSeries(transaction, { study, record });
    else await moveImage(transaction, { study, record }, move.id);
    if (now.leavesEmptyStudy)
      await transaction
        .updateTable('study')
        .set({ deleted_at: new Date(), deleted_by: accountId, version: sql`version + 1` })
        .where('id', '=', record.study_id)
        .execute();
  }
  const emptied = await unmountOthersImages(transaction, held.viewsets, accountId);
  const owners = (await ownersOf(transaction, held.viewsets)).filter(
    (viewset) => emptied.has(viewset.id) || viewset.study_id === record.study_id || viewset.study_id === studyId,
  );
  const versions = await incrementVersions(
    transaction,
    owners.map((viewset) => ({ id: viewset.id, version: 0 })),
  );
  await recountLastStudy(transaction, move.from);
  await recountLastStudy(transaction, move.to);
  return {
    id,
    studyId,
    studyFromId: record.study_id,
    viewsets: versions.map((viewset) => ({
      ...viewset,
      patientId: owners.find((one) => one.id === viewset.id)?.patient_id ?? move.to,
    })),
  };
};
