import { useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isGraded } from '../../../../contract/grade-summary.ts';
import type { GradeVersion, gradeSave } from '../../../../contract/grades.ts';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import { selectMay } from '../../../machines/session/session.machine.ts';
import { selectLastChange } from '../../../machines/viewer/viewer.machine.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { undoToast } from '../../ui/action-toast.tsx';
import { toast } from '../../ui/toast.ts';
import { useWorkspace } from '../workspace-context.ts';

type Grade<Body> = Body extends unknown ? Omit<Body, 'id' | 'version'> : never;
/** A grade without the image and version that it is for. */
export type GradeChange = Grade<BodyOf<typeof gradeSave>>;

/** Returns the change that gives an image this grade again; without one, that withdraws its grade. */
const changeTo = (version: GradeVersion | null): GradeChange => {
  if (version?.grade !== 'N') return { grade: version?.grade ?? null };
  const { grade, reason, text } = version;
  return reason === null || reason === 'other' ? { grade, reason: 'other', text } : { grade, reason };
};

/** Grades of the active image, and what can be done with them. */
export interface Grading {
  readonly imageUid: string;
  /** Newest first; empty while they load. */
  readonly versions: readonly GradeVersion[];
  readonly isSaving: boolean;
  /** Returns whether the grade was saved; otherwise the user was told why. */
  readonly grade: (change: GradeChange) => Promise<boolean>;
  /** Restores the grade before the newest one. */
  readonly undo: () => void;
}

/** Returns the grades of the active image; null for photographs, slices and documents, and for users who may not open images. */
export const useGrading = (image: ImageInfo | null): Grading | null => {
  const { patientId, session, viewer } = useWorkspace();
  const { t } = useTranslation(['grade', 'shell']);
  const failureText = useRecordFailureText();
  const queries = useAppQueries();
  const mayNotOpen = useSelector(session, selectMay('disable.open'));
  const [isSaving, setSaving] = useState(false);
  const imageUid = image?.uid ?? '';
  const active = useRef(imageUid);
  useEffect(() => {
    active.current = imageUid;
  }, [imageUid]);
  const announced = image?.grade?.version ?? 0;
  const canGrade = image?.kind === 'image' && isGraded(image.seriesModalityValue) && !mayNotOpen;
  const query = useQuery({ ...queries.grades(imageUid), enabled: canGrade && announced > 0 });
  const versions = query.data?.versions ?? [];
  const isOutdated = announced > (versions[0]?.version ?? 0);
  // Another user's grade is announced with the image.
  const { refetch } = query;
  const isReadBefore = query.isSuccess && isOutdated;
  useEffect(() => {
    if (isReadBefore) void refetch();
  }, [isReadBefore, refetch]);

  if (!canGrade) return null;
  const close = t('shell:close');

  /** Returns the saved grade; null, with a message, when it could not be saved. */
  const save = async (change: GradeChange, version: number): Promise<GradeVersion | null> => {
    setSaving(true);
    try {
      return await queries.saveGrade({ id: imageUid, version, ...change }, patientId);
    } catch (error) {
      const failure = failureOfQuery(error);
      const text = failure.code === 'conflict' ? t('conflict') : t('failed', { reason: failureText(failure) });
      toast({ tone: 'bad', text, close });
      return null;
    } finally {
      setSaving(false);
    }
  };
  const known = async (): Promise<readonly GradeVersion[] | null> => {
    if (!isOutdated) return versions;
    const { data, error } = await refetch();
    if (error) toast({ tone: 'bad', text: t('failed', { reason: failureText(failureOfQuery(error)) }), close });
    return data?.versions ?? null;
  };
  const restore = async (before: GradeVersion | null, version: number) => {
    if (await save(changeTo(before), version)) toast({ tone: 'plain', text: t('undone'), close });
  };
  const grade = async (change: GradeChange): Promise<boolean> => {
    const versionsNow = isSaving ? null : await known();
    if (!versionsNow) return false;
    const [before = null] = versionsNow;
    const saved = await save(change, before?.version ?? 0);
    if (!saved) return false;
    const lastChange = selectLastChange(viewer.getSnapshot());
    const text = saved.reason ? t('shown', { reason: t(`reason-${saved.reason}`) }) : t('saved', { grade: t('A') });
    undoToast({
      about: imageUid,
      text,
      undo: t('undo'),
      close,
      // A later change of the image is undone first.
      byKey: () => active.current === imageUid && selectLastChange(viewer.getSnapshot()) === lastChange,
      onUndo: () => void restore(before, saved.version),
    });
    return true;
  };
  return {
    imageUid,
    versions,
    isSaving,
    grade,
    undo: () => void (isSaving || (versions[0] && restore(versions[1] ?? null, versions[0].version))),
  };
};
