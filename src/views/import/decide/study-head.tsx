import { Checkbox } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import { useTranslation } from 'react-i18next';
import type { ImportFile, ImportStudy } from '../../../../contract/imports.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import classes from './decide.module.css';
import { FileThumbnail } from './file-thumbnail.tsx';
import { useStudyName } from './obstacle-text.ts';
import { newAmong, type StudyState } from './study.rules.ts';

interface StudyHeadProps {
  readonly study: ImportStudy;
  readonly files: readonly ImportFile[];
  readonly state: StudyState;
  /** null: it cannot be folded. */
  readonly open: boolean | null;
  /** Id of what is folded. */
  readonly body: string;
  readonly onOpen: (open: boolean) => void;
  readonly onLeaveOut: (leftOut: boolean) => void;
}

/** Pictures beside the head of a card that is closed. */
const glimpses = 4;

/** What a study is, what of it the archive has, and whether it is wanted at all. */
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
              className={classes.fold}
              aria-expanded={open}
              aria-controls={body}
              onClick={() => onOpen(!open)}
            >
              <IconChevronDown aria-hidden="true" />
              {name}
            </button>
          )}
        </h4>
        <p className={classes.quiet}>{facts.join(' · ')}</p>
        {archived && (
          <p className={classes.quiet}>
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
