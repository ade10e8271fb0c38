import { Button, Skeleton } from '@mantine/core';
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Patient } from '../../../contract/patients.ts';
import { Notice } from '../parts/notice.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import { MountPane, MountSkeleton, NothingChosen, OnBlack } from './centre.tsx';
import { ImageFacts } from './image-facts.tsx';
import type { SharpMount } from './mount.tsx';
import classes from './patient.module.css';
import { PatientCard } from './patient-card.tsx';
import { imagesOf, type Place, placePath, resolvePlace } from './place.ts';
import { SidePanel } from './side-panel.tsx';
import { StudyList } from './study-list.tsx';

export interface ImageInHand {
  readonly image: ImageInfo;
  readonly patient: Patient;
  readonly onStep: (by: 1 | -1) => void;
  readonly onBack: (() => void) | null;
}

interface PatientPageProps {
  readonly patientId: string;
  readonly place: Place;
  /** Draws the image in hand. */
  readonly renderImage: (inHand: ImageInHand) => ReactNode;
  /** Draws a mount in its images' own pixels. */
  readonly renderSharp: (sharp: SharpMount) => ReactNode;
  /** Opens the file dialog of the import. */
  readonly onChooseFiles: () => void;
}

const firstCount = 50;
const mostStudies = 500;

/** Studies, mounts and images of a patient. Where one is stands in the address. */
export const PatientPage = ({ patientId, place: asked, renderImage, renderSharp, onChooseFiles }: PatientPageProps) => {
  const { t } = useTranslation(['patient', 'shell']);
  const [, navigate] = useLocation();
  const reading = useReading();
  const [count, setCount] = useState(firstCount);
  const patientQuery = useQuery(reading.patient(patientId));
  const studiesQuery = useQuery({
    ...reading.studies(patientId, { page: 1, ppage: count }),
    placeholderData: keepPreviousData,
  });
  const patient = patientQuery.data ?? null;
  const studies = studiesQuery.data?.data ?? null;
  const place = resolvePlace(asked, studies ?? []);
  const viewsetQuery = useQuery({ ...reading.viewset(place.viewsetId ?? ''), enabled: place.viewsetId !== null });
  const viewset = viewsetQuery.data ?? null;

  if (patientQuery.isError) {
    const failure = failureOfQuery(patientQuery.error);
    const isAbsent = failure.kind === 'refused' && (failure.code === 'not-found' || failure.code === 'no-right');
    return (
      <Notice
        urgent
        title={isAbsent ? t('notFound') : t('loadFailed')}
        icon={<IconUserX />}
        action={!isAbsent && <Button onClick={() => void patientQuery.refetch()}>{t('shell:retry')}</Button>}
      />
    );
  }

  const study = studies?.find((candidate) =>
    place.viewsetId
      ? candidate.viewsets.some(({ viewSetUuid }) => viewSetUuid === place.viewsetId)
      : imagesOf(candidate).some(({ uid }) => uid === place.imageUid),
  );
  const neighbours = viewset
    ? viewset.viewSetItems.toSorted((one, other) => one.order - other.order).flatMap((item) => item.activeImage ?? [])
    : study
      ? imagesOf(study)
      : [];
  const image =
    neighbours.find(({ uid }) => uid === place.imageUid) ??
    studies?.flatMap(imagesOf).find(({ uid }) => uid === place.imageUid) ??
    null;
  const mountPlace = place.viewsetId ? placePath(patientId, { ...place, imageUid: null }) : null;
  const step = (by: 1 | -1) => {
    const at = neighbours.findIndex(({ uid }) => uid === image?.uid);
    const next = neighbours[at + by];
    if (next) navigate(placePath(patientId, { ...place, imageUid: next.uid }), { replace: true });
  };

  const centre = () => {
    if (image && patient)
      return renderImage({ image, patient, onStep: step, onBack: mountPlace ? () => navigate(mountPlace) : null });
    if (place.imageUid && (studies === null || !patient || viewsetQuery.isLoading)) return <MountSkeleton />;
    if (place.viewsetId && viewsetQuery.isError)
      return (
        <OnBlack>
          <Notice
            urgent
            title={t('viewsetFailed')}
            action={<Button onClick={() => void viewsetQuery.refetch()}>{t('shell:retry')}</Button>}
          />
        </OnBlack>
      );
    if (viewset)
      return (
        <MountPane
          viewset={viewset}
          series={place.series ?? viewset.studyUid}
          date={study?.studyDate ?? null}
          activeImage={place.imageUid}
          renderSharp={renderSharp}
        />
      );
    if (studies === null || place.viewsetId) return <MountSkeleton />;
    if (studies.length === 0 && patient)
      return (
        <OnBlack>
          <Notice
            title={t('noStudiesTitle')}
            text={t('noStudiesText', { name: `${patient.mainInfo.firstName} ${patient.mainInfo.lastName}` })}
            action={<Button onClick={onChooseFiles}>{t('chooseFiles')}</Button>}
          />
        </OnBlack>
      );
    return <NothingChosen />;
  };

  const total = studiesQuery.data?.totalCount ?? 0;
  return (
    <div className={classes.page}>
      <SidePanel side="left" name={t('panel')}>
        <PatientCard patient={patient} />
        <div className={classes.scroll}>
          {studiesQuery.isError && (
            <Notice
              urgent
              title={t('loadFailed')}
              action={
                <Button variant="default" onClick={() => void studiesQuery.refetch()}>
                  {t('shell:retry')}
                </Button>
              }
            />
          )}
          {studiesQuery.isLoading && (
            <div className={classes.skeletons}>
              {[0, 1, 2].map((row) => (
                <Skeleton key={row} height={84} />
              ))}
            </div>
          )}
          {studies && <StudyList patientId={patientId} studies={studies} place={place} />}
          {studies && total > studies.length && count < mostStudies && (
            <div className={classes.more}>
              <Button variant="default" fullWidth onClick={() => setCount(mostStudies)}>
                {t('more')}
              </Button>
            </div>
          )}
        </div>
      </SidePanel>
      <div className={classes.centre}>{centre()}</div>
      {image && (
        <SidePanel side="right" name={t('imagePanel')}>
          <h2 className={classes.panelTitle}>{t('imagePanel')}</h2>
          <div className={classes.scroll}>
            <ImageFacts image={image} />
          </div>
        </SidePanel>
      )}
    </div>
  );
};
