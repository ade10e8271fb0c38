import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { type DraftSubject, useDrafts, useResumedDraft } from '../app/drafts-context.ts';
import type { EditRequest } from '../app/edit-requests.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { toast } from '../ui/toast.ts';
import { allStudies } from './all-studies.ts';

const kinds = ['edit-patient', 'edit-study', 'edit-image', 'edit-viewset', 'new-viewset'] as const;

/** Opens the dialog of a resumed draft with the current version of its record. */
export const useResumedRequest = (patientId: string, open: (request: EditRequest) => void): void => {
  const { t } = useTranslation(['drafts', 'shell']);
  const client = useQueryClient();
  const queries = useAppQueries();
  const drafts = useDrafts();
  const draft = useResumedDraft(kinds);

  const requestOf = async (matter: DraftSubject): Promise<EditRequest | null> => {
    const studies = async () =>
      (await client.fetchQuery({ ...queries.studies(patientId, allStudies), staleTime: 0 })).data;
    switch (matter.kind) {
      case 'edit-patient': {
        const patient = await client.fetchQuery({ ...queries.patient(patientId), staleTime: 0 });
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
  const key = draft && 'patientId' in draft.what && draft.what.patientId === patientId ? draft.key : null;
  const requestOfDraft = useEffectEvent(async () => (draft ? requestOf(draft.what).catch(() => null) : null));
  const openDialog = useEffectEvent((request: EditRequest | null) => {
    if (request) open(request);
    else toast({ tone: 'bad', text: t('gone'), close: t('shell:close') });
  });
  useEffect(() => {
    if (key === null) return;
    let left = false;
    const resume = async () => {
      if (!drafts.find(key)) return;
      const request = await requestOfDraft();
      if (left) return;
      drafts.resume(null);
      openDialog(request);
    };
    void resume();
    return () => {
      left = true;
    };
  }, [key, drafts]);
};
