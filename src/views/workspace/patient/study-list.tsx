import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Study } from '../../../../contract/studies.ts';
import type { ListedViewset } from '../../app/edit-requests.ts';
import { useNoScrollWhileDragging } from '../../ui/use-drag-start.ts';
import { useImageDrag } from '../image-transfer.tsx';
import { useWorkspace } from '../workspace-context.ts';
import { MountOffer } from './mount-offer.tsx';
import { OtherViewers } from './other-viewers.tsx';
import { imagesOf, type PatientLocation, viewsetPath } from './patient-location.ts';
import { RecordMenu } from './record-menu.tsx';
import { SeriesImages } from './series-images.tsx';
import classes from './study-list.module.css';

interface StudyListProps {
  readonly studies: readonly Study[];
  readonly location: PatientLocation;
}

interface ViewsetRowProps {
  readonly study: Study;
  readonly viewset: ListedViewset;
  readonly location: PatientLocation;
}

/** A mount; an image dropped on it is moved into it. */
export const ViewsetRow = ({ study, viewset, location }: ViewsetRowProps) => {
  const { t } = useTranslation('patient');
  const { patientId } = useWorkspace();
  const { viewSetUuid, name, filledSlots, slots } = viewset;
  const { target } = useImageDrag();
  const isTarget = target?.kind === 'mount' && target.viewsetId === viewSetUuid;
  return (
    <li className={classes.viewsetRow} data-drop-mount={viewSetUuid} data-target={isTarget || undefined}>
      <Link
        href={viewsetPath(patientId, study, viewSetUuid, location.history)}
        className={classes.viewset}
        aria-current={location.viewsetId === viewSetUuid || undefined}
        aria-label={`${t('mount', { name })} ${filledSlots}/${slots}`}
      >
        <span className={classes.viewsetName}>{name}</span>{' '}
        <span className={classes.filled} title={t('slots', { filled: filledSlots, slots })}>
          {filledSlots}/{slots}
        </span>
      </Link>
      <RecordMenu
        name={name}
        requests={[
          { kind: 'edit-viewset', viewsetId: viewSetUuid },
          { kind: 'download-viewset', viewsetId: viewSetUuid },
          { kind: 'delete-viewset', viewset },
        ]}
      />
    </li>
  );
};

const StudyItem = ({ study, location }: { study: Study; location: PatientLocation }) => {
  const { t } = useTranslation('patient');
  const name = study.description.trim() || t('untitled');
  const detached = study.viewsets.length > 0 ? imagesOf(study).filter(({ viewsetId }) => viewsetId === null).length : 0;
  return (
    <li className={classes.study}>
      <div className={classes.head}>
        <h2 className={classes.heading}>
          <time dateTime={study.studyDate ?? undefined}>{study.studyDate ?? t('undated')}</time>
          <span className={classes.description} title={name}>
            {name}
          </span>
        </h2>
        <RecordMenu
          name={[study.studyDate, name].filter(Boolean).join(' ')}
          requests={[
            { kind: 'new-viewset', study },
            { kind: 'edit-study', study },
            { kind: 'download-study', study },
            { kind: 'send-study', study },
            { kind: 'move-study', study },
            { kind: 'delete-study', study },
          ]}
        >
          <OtherViewers studyUid={study.uid} />
        </RecordMenu>
      </div>
      {study.viewsets.length > 0 && (
        <ul>
          {study.viewsets.map((viewset) => (
            <ViewsetRow key={viewset.viewSetUuid} study={study} viewset={viewset} location={location} />
          ))}
        </ul>
      )}
      {study.viewsets.length === 0 && <MountOffer study={study} />}
      {detached > 0 && <p className={classes.detached}>{t('detached', { count: detached })}</p>}
      {study.series.map((series) => (
        <SeriesImages key={series.id} location={location} study={study} series={series} />
      ))}
    </li>
  );
};

/** Studies, newest first: their mounts as rows, their series as thumbnails. */
export const StudyList = ({ studies, location }: StudyListProps) => {
  const { t } = useTranslation('patient');
  const [list, setList] = useState<HTMLElement | null>(null);
  useNoScrollWhileDragging(list);
  return (
    <ol ref={setList} className={classes.list} aria-label={t('studies')}>
      {studies.map((study) => (
        <StudyItem key={study.uid} study={study} location={location} />
      ))}
    </ol>
  );
};
