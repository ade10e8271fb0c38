import { Button } from '@mantine/core';
import IconWand from '@tabler/icons-react/dist/esm/icons/IconWand.mjs';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { Study } from '../../../../contract/studies.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { offeredMount, unmountedImages } from '../../forms/offered-mount.ts';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { toast } from '../../ui/toast.ts';
import { useTemplates } from '../use-templates.ts';
import { useWorkspace } from '../workspace-context.ts';
import { patientPath } from './patient-location.ts';
import classes from './study-list.module.css';

/** Offers the mount that fits the images of a study without mounts, and places them in it. */
export const MountOffer = ({ study }: { readonly study: Study }) => {
  const { t } = useTranslation(['patient', 'shell']);
  const { patientId, edit } = useWorkspace();
  const queries = useAppQueries();
  const failureText = useRecordFailureText();
  const [, navigate] = useLocation();
  const [busy, setBusy] = useState(false);
  const images = useMemo(() => unmountedImages(study), [study]);
  const isAllowed = edit.disabledReason('new-viewset') === null;
  const templates = useTemplates(isAllowed && images.length > 1);
  const offer = useMemo(() => templates && offeredMount(images, templates), [images, templates]);
  if (!offer) return null;
  const accept = async () => {
    setBusy(true);
    try {
      const made = await queries.createViewset({
        patientUID: patientId,
        currentStudyUID: study.uid,
        currentViewsetUID: null,
        templateUUID: offer.template.uuid,
        placeImages: true,
      });
      navigate(patientPath(patientId, { series: made.studyUid, viewsetId: made.viewSetUuid }));
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', text: failureText(failureOfQuery(error)), close: t('shell:close') });
    }
  };
  return (
    <div className={classes.offer}>
      <Button
        variant="default"
        size="xs"
        fullWidth
        loading={busy}
        leftSection={<IconWand aria-hidden="true" />}
        title={t('offerHint', { placed: offer.placed, images: offer.images, name: offer.template.name })}
        onClick={() => void accept()}
      >
        {t('offer', { name: offer.template.name })}
      </Button>
    </div>
  );
};
