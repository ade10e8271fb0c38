import { Checkbox } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconUserQuestion from '@tabler/icons-react/dist/esm/icons/IconUserQuestion.mjs';
import IconUserX from '@tabler/icons-react/dist/esm/icons/IconUserX.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { formatPersonName } from '../../ui/person-name.ts';
import classes from './decide.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import patientClasses from './patient.module.css';
import { newAmong, type StudyState, stateOf } from './study.rules.ts';

/** Returns the name of a study: its description, else its modality. */
export const useStudyName = () => {
  const { t } = useTranslation('import-decide');
  return (study: ImportStudy): string =>
    study.description.trim() || t(study.kind === 'static' ? 'pictures' : 'untitled');
};

/** Returns what prevents the import of a study and how to resolve it; null when nothing does or the study is excluded. */
const useObstacleText = () => {
  const { t } = useTranslation('import-decide');
  return (study: ImportStudy): string | null => {
    const [obstacle] = study.obstacles;
    if (obstacle === undefined || stateOf(study) !== 'needs-decision') return null;
    const patientName = (patient: ImportStudy['patient']) =>
      patient ? `${patient.firstName} ${patient.lastName}` : '';
    return t(`obstacle-${obstacle}`, {
      patient: patientName(study.patient),
      owner: patientName(study.inArchive?.patient ?? null),
      named: formatPersonName(study.named?.name ?? null) ?? t('unnamedPatient'),
    });
  };
};

type Tone = 'good' | 'caution' | 'bad' | 'needs-decision';

const icons = { good: IconCircleCheck, caution: IconAlertTriangle, bad: IconUserX, 'needs-decision': IconUserQuestion };

/** Shows how well files and patient match by icon, text and colour. */
export const MatchLine = ({ tone, children }: { tone: Tone; children: ReactNode }) => {
  const Icon = icons[tone];
  return (
    <p className={patientClasses.match} data-tone={tone}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
};

/** Status of a collapsed study in one line: the missing decision, or its patient and how well they match. */
export const StudyStatus = ({ study, state }: { study: ImportStudy; state: StudyState }) => {
  const { t } = useTranslation('import-decide');
  const obstacleText = useObstacleText();
  const { patient, match, named } = study;
  if (state === 'left-out') return <p className={classes.dimmed}>{t('isLeftOut')}</p>;
  if (state === 'imported') return <MatchLine tone="good">{t('isImported')}</MatchLine>;
  if (state === 'needs-decision') {
    const tone = study.obstacles[0] === 'patient-missing' ? 'needs-decision' : 'bad';
    return <MatchLine tone={tone}>{obstacleText(study)}</MatchLine>;
  }
  const name = patient ? `${patient.firstName} ${patient.lastName}` : '';
  if (match === 'same') return <MatchLine tone="good">{t('isReady', { name })}</MatchLine>;
  if (match === 'unknown') return <MatchLine tone="caution">{t('isReadyUnsure', { name })}</MatchLine>;
  const words = { patient: name, named: formatPersonName(named?.name ?? null) ?? t('unnamedPatient') };
  return <MatchLine tone="caution">{t('confirmed', words)}</MatchLine>;
};

interface StudyHeadProps {
  readonly study: ImportStudy;
  readonly files: readonly ImportFile[];
  readonly state: StudyState;
  /** Null: cannot be collapsed. */
  readonly open: boolean | null;
  /** Element id of the collapsible content. */
  readonly body: string;
  readonly onOpen: (open: boolean) => void;
  readonly onLeaveOut: (leftOut: boolean) => void;
}

/** Thumbnails in the header of a collapsed card. */
const glimpses = 4;

/** Header of a study: description, files already in the archive, and whether it is included. */
export const StudyHead = ({ study, files, state, open, body, onOpen, onLeaveOut }: StudyHeadProps) => {
  const { t } = useTranslation('import-decide');
  const modalityName = useModalityName();
  const name = useStudyName()(study);
  const fresh = newAmong(files);
  const facts = [
    study.studyDate,
    study.modalities.map(modalityName).join(', '),
    t('images', { count: study.filesCount }),
  ].filter(Boolean);
  const archived = study.kind === 'dicom' ? study.inArchive : null;
  return (
    <div className={classes.head}>
      <div className={classes.what}>
        <h4 className={classes.title}>
          {open === null ? (
            name
          ) : (
            <button
              type="button"
              className={classes.toggle}
              aria-expanded={open}
              aria-controls={body}
              onClick={() => onOpen(!open)}
            >
              <IconChevronDown aria-hidden="true" />
              {name}
            </button>
          )}
        </h4>
        <p className={classes.dimmed}>{facts.join(' · ')}</p>
        {archived && (
          <p className={classes.dimmed}>
            {fresh === 0
              ? t('allInArchive')
              : t('addsTo', { count: fresh, study: study.studyDate ?? name, images: archived.images })}
          </p>
        )}
      </div>
      {open === false && (
        <div className={classes.glimpses} aria-hidden="true">
          {files.slice(0, glimpses).map((file) => (
            <span key={file.id}>
              <FileThumbnail file={file} />
            </span>
          ))}
        </div>
      )}
      <Checkbox
        label={t('leaveOut')}
        aria-label={t('leaveOutStudy', { name })}
        checked={state === 'left-out'}
        disabled={state === 'imported'}
        onChange={(event) => onLeaveOut(event.currentTarget.checked)}
      />
    </div>
  );
};
