import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isSearchable, searchHits } from '../../../contract/bounds.ts';
import type { Patient } from '../../../contract/patients.ts';
import type { ImportsActor } from '../../machines/imports/imports.machine.ts';
import { FileInput, type FileInputHandle } from '../parts/file-input.tsx';
import { MatchedText } from '../parts/matched-text.tsx';
import { useReading } from '../reading.tsx';
import classes from './import.module.css';
import { ImportTray } from './import-tray.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useStartImport } from './use-start-import.ts';

interface ImportPageProps {
  readonly actor: ImportsActor;
  readonly clinicId: string;
  /** The archive cannot tell of progress now. */
  readonly down: boolean;
}

const Candidates = ({
  clinicId,
  text,
  onChoose,
}: {
  clinicId: string;
  text: string;
  onChoose: (patient: Patient) => void;
}) => {
  const { t } = useTranslation('search');
  const question = useDeferredValue(text.trim());
  const reading = useReading();
  const answer = useQuery({
    ...reading.patients({ customerId: clinicId, q: question, page: 1, ppage: searchHits }),
    enabled: isSearchable(question),
    placeholderData: keepPreviousData,
  });
  if (!isSearchable(question) || !answer.data) return null;
  if (answer.data.data.length === 0) return <p className={classes.quiet}>{t('nothing', { text: question })}</p>;
  return (
    <ul className={classes.found} aria-label={t('hits')}>
      {answer.data.data.map((patient) => (
        <li key={patient.id}>
          <UnstyledButton className={classes.candidate} onClick={() => onChoose(patient)}>
            <span>
              <MatchedText text={`${patient.mainInfo.lastName}, ${patient.mainInfo.firstName}`} query={question} />
            </span>
            <span className={classes.quiet}>{patient.mainInfo.personalNumber}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
};

/** Import that begins with files instead of with a patient: first the files, then whose they are. */
export const ImportPage = ({ actor, clinicId, down }: ImportPageProps) => {
  const { t } = useTranslation(['import', 'search', 'shell']);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [text, setText] = useState('');
  const dialog = useRef<FileInputHandle>(null);
  const start = useStartImport(() => {
    setFiles([]);
    setText('');
  });
  const above = useFileDrop(setFiles);
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('title')}</h1>
      <FileInput ref={dialog} onFiles={setFiles} />
      <section className={classes.zone} data-above={above || undefined}>
        <p>{files.length === 0 ? t('dropHere') : t('filesCount', { count: files.length })}</p>
        <p className={classes.quiet}>{down ? t('shell:importDown') : t('dropHint')}</p>
        <div className={classes.actions}>
          <Button
            variant={files.length === 0 ? 'filled' : 'default'}
            disabled={down}
            onClick={() => dialog.current?.chooseFiles()}
          >
            {t('chooseFiles')}
          </Button>
          <Button variant="default" disabled={down} onClick={() => dialog.current?.chooseFolder()}>
            {t('chooseFolder')}
          </Button>
        </div>
      </section>
      {files.length > 0 && (
        <section>
          <TextInput
            label={t('choosePatient')}
            placeholder={t('search:boxHint')}
            autoFocus
            autoComplete="off"
            maxLength={30}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Candidates clinicId={clinicId} text={text} onChoose={(patient) => start(patient.id, files)} />
        </section>
      )}
      <section>
        <h2 className={classes.person}>{t('tray')}</h2>
        <ImportTray actor={actor} />
      </section>
    </div>
  );
};
