import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditWish } from '../edit-wishes.ts';
import { type DraftMatter, useDrafts, useResumedDraft } from '../kept-drafts.ts';
import { toast } from '../parts/toast.ts';
import { useReading } from '../reading.tsx';
import { allStudies } from './edit-study.tsx';

const kinds = ['edit-patient', 'edit-study', 'edit-image', 'edit-viewset', 'new-viewset'] as const;

/** Opens the dialog of a draft that is to be gone on with, on the record as the archive has it now. */
export const useResumedWish = (patientId: string, open: (wish: EditWish) => void): void => {
  const { t } = useTranslation(['drafts', 'shell']);
  const client = useQueryClient();
  const reading = useReading();
  const drafts = useDrafts();
  const draft = useResumedDraft(kinds);

  const wishOf = async (matter: DraftMatter): Promise<EditWish | null> => {
    const studies = async () =>
      (await client.fetchQuery({ ...reading.studies(patientId, allStudies), staleTime: 0 })).data;
    switch (matter.kind) {
      case 'edit-patient': {
        const patient = await client.fetchQuery({ ...reading.patient(patientId), staleTime: 0 });
        return { kind: 'edit-patient', patient };
      }
      case 'edit-study': {
        const study = (await studies()).find(({ id }) => id === matter.studyId);
        return study ? { kind: 'edit-study', study } : null;
      }
      case 'edit-image': {
        const images = (await studies()).flatMap(({ series }) => series).flatMap((one) => one.images);
        const image = images.find(({ uid }) => uid === matter.imageUid);
        return image ? { kind: 'edit-image', image, slotTeeth: matter.slotTeeth } : null;
      }
      case 'edit-viewset':
        return { kind: 'edit-viewset', viewsetId: matter.viewsetId };
      case 'new-viewset': {
        const study = (await studies()).find(({ uid }) => uid === matter.studyUid) ?? null;
        return { kind: 'new-viewset', study };
      }
      default:
        return null;
    }
  };
  const latest = useRef({ wishOf, open, t });
  useEffect(() => {
    latest.current = { wishOf, open, t };
  });
  const key = draft && 'patientId' in draft.what && draft.what.patientId === patientId ? draft.key : null;
  const matter = useRef(draft?.what ?? null);
  useEffect(() => {
    matter.current = draft?.what ?? null;
  });
  useEffect(() => {
    if (key === null) return;
    let left = false;
    const resume = async () => {
      const wanted = drafts.find(key);
      if (!wanted || !matter.current) return;
      const wish = await latest.current.wishOf(matter.current).catch(() => null);
      if (left) return;
      drafts.resume(null);
      const { open: openWish, t: words } = latest.current;
      if (wish) openWish(wish);
      else toast({ tone: 'bad', text: words('gone'), close: words('shell:close') });
    };
    void resume();
    return () => {
      left = true;
    };
  }, [key, drafts]);
};
