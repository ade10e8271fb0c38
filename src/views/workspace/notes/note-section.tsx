import { Button, Textarea } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxNoteLength, type NoteVersion, normalizedNote } from '../../../../contract/notes.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { minuteText } from '../../ui/dates.ts';
import { DisableableButton } from '../../ui/disableable-button.tsx';
import { IconAlert } from '../../ui/icon-alert.tsx';
import { toast } from '../../ui/toast.ts';
import classes from './note.module.css';
import { type Note, type NoteOwner, type SaveObstacle, useNote } from './use-note.ts';

/** State, author and time of a version. */
const VersionHead = ({ version: { state, author, savedAt } }: { readonly version: NoteVersion }) => {
  const { t } = useTranslation('note');
  return (
    <p className={classes.head}>
      <span className={classes.state} data-state={state}>
        {t(`state-${state}`)}
      </span>
      <span>{author.name}</span>
      <time dateTime={savedAt}>{minuteText(savedAt)}</time>
    </p>
  );
};

const EarlierVersions = ({ versions }: { readonly versions: readonly NoteVersion[] }) => {
  const { t } = useTranslation('note');
  if (versions.length === 0) return null;
  return (
    <details className={classes.earlier}>
      <summary>{t('earlier', { count: versions.length })}</summary>
      <ol>
        {versions.map((version) => (
          <li key={version.version}>
            <VersionHead version={version} />
            {version.text && <p className={classes.text}>{version.text}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
};

/** Returns the text for the journal: what the note is about and who wrote it, without the patient. */
const useCopiedText = ({ subject, day, teeth }: NoteOwner) => {
  const { t } = useTranslation('note');
  const toothText = useToothText();
  return ({ state, text, author, savedAt }: NoteVersion): string => {
    const about = [t(subject === 'image' ? 'copyImage' : 'copyMount'), day].filter(Boolean).join(' ');
    const shown = teeth.length > 0 ? t('copyTeeth', { count: teeth.length, teeth: toothText(teeth) }) : '';
    const written = { name: author.name, time: minuteText(savedAt) };
    return [
      [about, shown].filter(Boolean).join(', '),
      t(state === 'signed' ? 'copySigned' : 'copyDraft', written),
      text,
    ].join('\n');
  };
};

const CopyButton = ({ owner, newest }: { readonly owner: NoteOwner; readonly newest: NoteVersion }) => {
  const { t } = useTranslation(['note', 'shell']);
  const copiedText = useCopiedText(owner);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copiedText(newest));
      setCopied(true);
    } catch {
      toast({ tone: 'bad', text: t('copyFailed'), close: t('shell:close') });
    }
  };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={copied ? <IconCheck aria-hidden="true" /> : <IconCopy aria-hidden="true" />}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      <span aria-live="polite">{copied ? t('copied') : t('copy')}</span>
    </Button>
  );
};

/** Both texts, when another user has saved a version while this one was written. */
const Conflict = ({ note }: { readonly note: Note }) => {
  const { t } = useTranslation('note');
  const { theirs } = note;
  if (!theirs) return note.isRejected && <IconAlert tone="caution">{t('newerLoading')}</IconAlert>;
  return (
    <>
      <IconAlert tone="caution">{t('newer')}</IconAlert>
      <div className={classes.theirs}>
        <VersionHead version={theirs} />
        {theirs.text && <p className={classes.text}>{theirs.text}</p>}
      </div>
      <div className={classes.buttons}>
        <Button size="xs" variant="default" onClick={note.keepMine}>
          {t('keepMine')}
        </Button>
        <Button size="xs" variant="default" onClick={note.useTheirs}>
          {t('useTheirs')}
        </Button>
      </div>
    </>
  );
};

interface NoteSectionProps {
  readonly owner: NoteOwner;
}

/** The note on an image or mount: its newest version to read and change, and the earlier ones. */
export const NoteSection = ({ owner }: NoteSectionProps) => {
  const { t } = useTranslation(['note', 'shell']);
  const note = useNote(owner);
  const { newest, text, theirs } = note;
  const cameFrom = useRef<Element | null>(null);
  const length = normalizedNote(text).length;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      note.save();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.currentTarget.blur();
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus();
  };
  const reason = (obstacle: SaveObstacle | null) => obstacle && t(`obstacle-${obstacle}`);
  return (
    <div className={classes.note} data-note={owner.subject}>
      <div role="status">
        {newest && !theirs && <VersionHead version={newest} />}
        {note.isChanged && <p className={classes.unsaved}>{t('unsaved')}</p>}
      </div>
      <Textarea
        aria-label={t(owner.subject === 'image' ? 'noteOnImage' : 'noteOnMount')}
        placeholder={t('placeholder')}
        autosize
        minRows={2}
        maxRows={12}
        value={text}
        readOnly={note.isLoading}
        error={length > maxNoteLength && t('tooLong', { max: maxNoteLength, count: length })}
        onChange={(event) => note.write(event.currentTarget.value)}
        onFocus={(event) => {
          cameFrom.current = event.relatedTarget;
        }}
        onKeyDown={onKeyDown}
      />
      <div aria-live="assertive">
        {note.loadFailure && <IconAlert>{note.loadFailure}</IconAlert>}
        {note.failure && <IconAlert>{note.failure}</IconAlert>}
        <Conflict note={note} />
      </div>
      {note.loadFailure && (
        <Button size="xs" variant="default" onClick={note.retry}>
          {t('shell:retry')}
        </Button>
      )}
      <div className={classes.buttons}>
        <DisableableButton size="xs" variant="default" reason={reason(note.draftObstacle)} onClick={note.save}>
          {t('saveDraft')}
        </DisableableButton>
        <DisableableButton size="xs" reason={reason(note.signObstacle)} onClick={note.sign}>
          {t('sign')}
        </DisableableButton>
        {newest && newest.state !== 'removed' && <CopyButton owner={owner} newest={newest} />}
        {newest?.text && (
          <DisableableButton
            size="xs"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash aria-hidden="true" />}
            reason={reason(note.removeObstacle)}
            onClick={note.remove}
          >
            {t('remove')}
          </DisableableButton>
        )}
      </div>
      <EarlierVersions versions={note.versions.slice(1)} />
    </div>
  );
};
