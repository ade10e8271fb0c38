import { Button } from '@mantine/core';
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@xstate/react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Patient } from '../../../../contract/patients.ts';
import {
  selectIsOpening,
  selectOpeningFailure,
  selectShownViewset,
} from '../../../machines/viewset/viewset.machine.ts';
import { failureOfQuery, useAppQueries } from '../../app/queries-context.tsx';
import { useRecordFailureText } from '../../language/failure-text.ts';
import { lazyComponent } from '../../ui/lazy-component.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageTitle } from '../../ui/page-heading.tsx';
import { useToothHistory } from '../tooth-history/use-tooth-history.ts';
import { useWorkspace } from '../workspace-context.ts';
import { contentOf, openViewset, studyOf } from './content.ts';
import classes from './patient.module.css';
import { comparedIn, imagesOf, type PatientLocation, resolveLocation } from './patient-location.ts';
import {
  ContentNotFound,
  ImageAreaMessage,
  NoStudies,
  NothingChosen,
  ViewsetFailed,
  WorkspaceSkeleton,
} from './placeholders.tsx';
import { usePriorRight } from './prior-side.ts';
import { StudiesPanel } from './studies-panel.tsx';
import { useNavigation } from './use-navigation.ts';

const ToothHistory = lazyComponent(async () => (await import('../tooth-history/tooth-history.tsx')).ToothHistory);
const PatientWorkspace = lazyComponent(async () => (await import('../patient-workspace.tsx')).PatientWorkspace);

interface PatientPageProps {
  readonly location: PatientLocation;
  /** Opens the file dialog of the import. */
  readonly onChooseFiles: () => void;
}

const firstCount = 50;
const maxStudies = 500;

const nameOf = ({ mainInfo }: Patient) => `${mainInfo.firstName} ${mainInfo.lastName}`;

/** Studies, mounts and images of a patient. The location is stored in the URL. */
export const PatientPage = ({ location: asked, onChooseFiles }: PatientPageProps) => {
  const { patientId, viewer, viewsets } = useWorkspace();
  const { t } = useTranslation(['patient', 'shell', 'header']);
  const queries = useAppQueries();
  const failureText = useRecordFailureText();
  const client = useQueryClient();
  const [hasAllRequested, setAllRequested] = useState(asked.prior !== null || asked.priorMount !== null);
  // An earlier image may be in any study, and a history of part of the images would look complete.
  const count = hasAllRequested || asked.history ? maxStudies : firstCount;
  const [isPriorRight, setPriorRight] = usePriorRight();
  const patientQuery = useQuery(queries.patient(patientId));
  const earlierQuery = useQuery({
    ...queries.viewset(asked.priorMount ?? ''),
    enabled: asked.priorMount !== null,
  });
  const studiesQuery = useQuery({
    ...queries.studies(patientId, { page: 1, ppage: count }),
    placeholderData: keepPreviousData,
  });
  const patient = patientQuery.data ?? null;
  const studies = studiesQuery.data?.data ?? null;
  const location = resolveLocation(asked, studies ?? []);
  const { viewsetId } = location;

  useEffect(
    () => viewsets.send(viewsetId ? { type: 'viewset.opened', viewsetId } : { type: 'viewset.closed' }),
    [viewsets, viewsetId],
  );
  useEffect(() => () => viewsets.send({ type: 'viewset.closed' }), [viewsets]);
  useEffect(() => () => viewer.send({ type: 'patient.closed' }), [viewer, patientId]);
  const viewset = useSelector(viewsets, selectShownViewset);
  const isOpening = useSelector(viewsets, selectIsOpening);
  const openingFailure = useSelector(viewsets, selectOpeningFailure);

  // On narrow screens the studies are below, so what was chosen there is scrolled into view.
  const middle = useRef<HTMLDivElement>(null);
  const shownAt = [
    viewsetId,
    location.priorMount,
    location.imageUid,
    ...comparedIn(location),
    location.history?.tooth,
  ].join(' ');
  useEffect(() => {
    if (shownAt.trim() !== '') middle.current?.scrollIntoView?.({ block: 'nearest' });
  }, [shownAt]);

  const study = studyOf(location, studies ?? []);
  const opened = openViewset(viewset, viewsetId, patientId);
  const open = opened === 'elsewhere' ? null : opened;
  const content =
    location.prior && studies === null
      ? null
      : contentOf(location, studies ?? [], open, isPriorRight, earlierQuery.data ?? null);
  const hasImage = (imageUid: string) =>
    (studies ?? []).some((one) => imagesOf(one).some(({ uid }) => uid === imageUid));
  const total = studiesQuery.data?.totalCount ?? 0;
  const hasMore = studies !== null && total > studies.length && count < maxStudies;
  const loadStudies = async () => {
    const { data } = await client.fetchQuery(queries.studies(patientId, { page: 1, ppage: maxStudies }));
    setAllRequested(true);
    return data;
  };
  const history = useToothHistory(location, studies);
  const navigation = useNavigation({
    location,
    viewset: open,
    study,
    hasImage,
    history,
    studies: studies ?? [],
    loadStudies: hasMore ? loadStudies : null,
    onSwap: () => setPriorRight(!isPriorRight),
  });

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

  const centre = () => {
    if (content && patient)
      return (
        <Suspense fallback={null}>
          <PatientWorkspace
            content={content}
            patient={patient}
            study={study}
            studies={studies ?? []}
            navigation={navigation}
          />
        </Suspense>
      );
    if (viewsetId && openingFailure) {
      const isGone = openingFailure.kind === 'refused' && openingFailure.status < 500;
      return <ViewsetFailed onRetry={isGone ? null : () => viewsets.send({ type: 'opening.retried' })} />;
    }
    if (opened === 'elsewhere') return <ContentNotFound />;
    if (studies === null && studiesQuery.isError && !viewsetId) return <ImageAreaMessage>{null}</ImageAreaMessage>;
    if (studies === null || !patient || isOpening || (viewsetId && !open)) return <WorkspaceSkeleton />;
    if (location.imageUid || comparedIn(location).length > 0) return <ContentNotFound />;
    return studies.length === 0 ? (
      <NoStudies name={nameOf(patient)} onChooseFiles={onChooseFiles} />
    ) : (
      <NothingChosen />
    );
  };

  const loadedStudies = studies !== null && total > studies.length ? studies.length : null;
  return (
    <div className={classes.page}>
      <PageTitle>{t('header:patient')}</PageTitle>
      <StudiesPanel
        patient={patient}
        studies={studies}
        location={location}
        failure={studiesQuery.isError ? failureText(failureOfQuery(studiesQuery.error)) : null}
        onRetry={() => void studiesQuery.refetch()}
        onMore={hasMore ? () => setAllRequested(true) : null}
        history={history}
        loadedStudies={loadedStudies}
      />
      <div ref={middle} className={classes.centre} data-history={history.view !== null || undefined}>
        {history.view && studies && (
          <Suspense fallback={null}>
            <ToothHistory control={history} view={history.view} location={location} loadedStudies={loadedStudies} />
          </Suspense>
        )}
        {centre()}
      </div>
    </div>
  );
};
