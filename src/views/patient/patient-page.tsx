import { Button } from '@mantine/core';
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { Patient } from '../../../contract/patients.ts';
import type { Study } from '../../../contract/studies.ts';
import {
  selectIsOpening,
  selectOpeningFailure,
  selectShownViewset,
  type ViewsetActor,
} from '../../machines/viewset/viewset.machine.ts';
import { useRecordFailureText } from '../language/failure-text.ts';
import { Notice } from '../parts/notice.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { failureOfQuery, useReading } from '../reading.tsx';
import type { ShownContent } from '../shown-content.ts';
import { NoStudies, NothingChosen, NotThere, OnBlack, RoomSkeleton, ViewsetFailed } from './centre.tsx';
import { contentOf, neighboursOf, studyOf } from './content.ts';
import classes from './patient.module.css';
import { type Place, placePath, resolvePlace } from './place.ts';
import { StudiesPanel } from './studies-panel.tsx';

/** What fills the middle of the page, and the ways out of it. */
export interface Room {
  readonly content: ShownContent;
  readonly patient: Patient;
  /** That the content belongs to. */
  readonly study: Study | null;
  readonly studies: readonly Study[];
  readonly place: Place;
  readonly onOpen: (imageUid: string) => void;
  /** The next or the previous image of where one came from. */
  readonly onStep: (by: 1 | -1) => void;
  /** Puts an image beside the next one; null when there is no other. */
  readonly onCompare: ((imageUid: string) => void) | null;
  /** Back to the mount, or from a comparison to the image; null where there is nothing behind. */
  readonly onBack: (() => void) | null;
}

interface PatientPageProps {
  readonly patientId: string;
  readonly place: Place;
  readonly viewsets: ViewsetActor;
  readonly renderRoom: (room: Room) => ReactNode;
  /** Opens the file dialog of the import. */
  readonly onChooseFiles: () => void;
  /** Where the access log of the patient is; null for those who may not read it. */
  readonly logPath: string | null;
}

const firstCount = 50;
const mostStudies = 500;

const nameOf = ({ mainInfo }: Patient) => `${mainInfo.firstName} ${mainInfo.lastName}`;

/** Studies, mounts and images of a patient. Where one is stands in the address. */
export const PatientPage = (props: PatientPageProps) => {
  const { patientId, place: asked, viewsets, renderRoom, onChooseFiles, logPath } = props;
  const { t } = useTranslation(['patient', 'shell', 'header']);
  const [, navigate] = useLocation();
  const reading = useReading();
  const failureText = useRecordFailureText();
  const [count, setCount] = useState(firstCount);
  const patientQuery = useQuery(reading.patient(patientId));
  const studiesQuery = useQuery({
    ...reading.studies(patientId, { page: 1, ppage: count }),
    placeholderData: keepPreviousData,
  });
  const patient = patientQuery.data ?? null;
  const studies = studiesQuery.data?.data ?? null;
  const place = resolvePlace(asked, studies ?? []);
  const { viewsetId } = place;

  useEffect(
    () => viewsets.send(viewsetId ? { type: 'viewset.opened', viewsetId } : { type: 'viewset.closed' }),
    [viewsets, viewsetId],
  );
  useEffect(() => () => viewsets.send({ type: 'viewset.closed' }), [viewsets]);
  const viewset = useSelector(viewsets, selectShownViewset);
  const isOpening = useSelector(viewsets, selectIsOpening);
  const openingFailure = useSelector(viewsets, selectOpeningFailure);

  // On a narrow page the studies lie below: what was chosen there comes into view.
  const middle = useRef<HTMLDivElement>(null);
  const shownAt = [viewsetId, place.imageUid, ...place.compare].join(' ');
  useEffect(() => {
    if (shownAt.trim() !== '') middle.current?.scrollIntoView?.({ block: 'nearest' });
  }, [shownAt]);

  if (patientQuery.isError) {
    const failure = failureOfQuery(patientQuery.error);
    const isAbsent = failure.kind === 'refused' && (failure.code === 'not-found' || failure.code === 'no-right');
    return (
      <Notice
        isPage
        urgent
        title={isAbsent ? t('notFound') : failureText(failure)}
        icon={<IconUserX />}
        action={!isAbsent && <Button onClick={() => void patientQuery.refetch()}>{t('shell:retry')}</Button>}
      />
    );
  }

  const study = studyOf(place, studies ?? []);
  const open = viewset?.viewSetUuid === viewsetId ? viewset : null;
  const content = contentOf(place, studies ?? [], open);
  const go = (to: Partial<Place>, options?: { replace: boolean }) =>
    navigate(placePath(patientId, { ...place, imageUid: null, compare: [], ...to }), options);
  const neighbours = neighboursOf(open, study);
  const pictures = neighbours.filter(({ kind }) => kind === 'image');
  const compare = (imageUid: string) => {
    const at = pictures.findIndex(({ uid }) => uid === imageUid);
    const other = pictures[at + 1] ?? pictures[at - 1];
    if (at >= 0 && other) go({ compare: [imageUid, other.uid] });
  };
  const step = (by: 1 | -1) => {
    const next = neighbours[neighbours.findIndex(({ uid }) => uid === place.imageUid) + by];
    if (next && place.imageUid) go({ imageUid: next.uid }, { replace: true });
  };
  const isBelow = place.compare.length > 0 || (place.imageUid !== null && viewsetId !== null);
  const back = () => go(viewsetId ? {} : { imageUid: place.compare[0] ?? null });

  const centre = () => {
    if (content && patient)
      return renderRoom({
        content,
        patient,
        study,
        studies: studies ?? [],
        place,
        onOpen: (imageUid) => go({ imageUid }),
        onStep: step,
        onCompare: pictures.length > 1 ? compare : null,
        onBack: isBelow ? back : null,
      });
    if (viewsetId && openingFailure) {
      const isGone = openingFailure.kind === 'refused' && openingFailure.status < 500;
      return <ViewsetFailed onRetry={isGone ? null : () => viewsets.send({ type: 'opening.retried' })} />;
    }
    if (studies === null && studiesQuery.isError && !viewsetId) return <OnBlack>{null}</OnBlack>;
    if (studies === null || !patient || isOpening || (viewsetId && !open)) return <RoomSkeleton />;
    if (place.imageUid || place.compare.length > 0) return <NotThere />;
    return studies.length === 0 ? (
      <NoStudies name={nameOf(patient)} onChooseFiles={onChooseFiles} />
    ) : (
      <NothingChosen />
    );
  };

  const total = studiesQuery.data?.totalCount ?? 0;
  const hasMore = studies !== null && total > studies.length && count < mostStudies;
  return (
    <div className={classes.page}>
      <PageTitle>{t('header:patient')}</PageTitle>
      <StudiesPanel
        patientId={patientId}
        patient={patient}
        logPath={logPath}
        studies={studies}
        place={place}
        failure={studiesQuery.isError ? failureText(failureOfQuery(studiesQuery.error)) : null}
        onRetry={() => void studiesQuery.refetch()}
        onMore={hasMore ? () => setCount(mostStudies) : null}
      />
      <div ref={middle} className={classes.centre}>
        {centre()}
      </div>
    </div>
  );
};
