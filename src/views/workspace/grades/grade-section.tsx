import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { gradeReasons } from '../../../../contract/grade-summary.ts';
import { type GradeVersion, maxGradeText } from '../../../../contract/grades.ts';
import { minuteText } from '../../ui/dates.ts';
import { useKeyText } from '../viewer/shortcuts.ts';
import classes from './grade.module.css';
import type { Grading } from './use-grading.ts';

/** A grade with its reason, author and time. */
const GradeLine = ({ version: { grade, reason, text, author, savedAt } }: { readonly version: GradeVersion }) => {
  const { t } = useTranslation('grade');
  return (
    <p className={classes.line}>
      <span className={classes.mark} data-grade-mark={grade ?? undefined}>
        {grade ? t(grade) : t('withdrawn')}
      </span>
      {reason && <span>{reason === 'other' ? text : t(`reason-${reason}`)}</span>}
      <span>{author.name}</span>
      <time dateTime={savedAt}>{minuteText(savedAt)}</time>
    </p>
  );
};

const focusField = (field: HTMLInputElement | null) => field?.focus();

/** Asks what is wrong with the image, where no reason of the list fits. */
const OtherReason = ({ grading, onSaved }: { readonly grading: Grading; readonly onSaved: () => void }) => {
  const { t } = useTranslation('grade');
  const [text, setText] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    if (await grading.grade({ grade: 'N', reason: 'other', text: text.trim() })) onSaved();
  };
  return (
    <form className={classes.other} onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('text')}
        value={text}
        maxLength={maxGradeText}
        ref={focusField}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" disabled={text.trim() === '' || grading.isSaving}>
        {t('save')}
      </Button>
    </form>
  );
};

/** The quality grade of the active image. Use the image's id as `key`. */
export const GradeSection = ({ grading }: { readonly grading: Grading }) => {
  const { t } = useTranslation('grade');
  const keyText = useKeyText();
  const reasonsId = useId();
  const [isOther, setOther] = useState(false);
  const [newest, ...earlier] = grading.versions;
  const button = (isPressed: boolean) => ({
    size: 'xs',
    variant: isPressed ? 'light' : 'default',
    'aria-pressed': isPressed,
  });
  return (
    <div className={classes.grade} data-grade>
      <div role="status">{newest ? <GradeLine version={newest} /> : <p className={classes.line}>{t('none')}</p>}</div>
      <div>
        <Button
          {...button(newest?.grade === 'A')}
          aria-keyshortcuts="Shift+O"
          title={keyText('Shift+O')}
          onClick={() => void grading.grade({ grade: 'A' })}
        >
          {t('A')}
        </Button>
      </div>
      <p id={reasonsId} className={classes.label} title={keyText('Shift+U')}>
        {t('because')}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need its legend inside */}
      <div role="group" aria-labelledby={reasonsId} className={classes.reasons}>
        {gradeReasons.map((reason) => (
          <Button
            key={reason}
            {...button(newest?.reason === reason)}
            data-reason={reason}
            aria-expanded={reason === 'other' ? isOther : undefined}
            onClick={() => {
              setOther(reason === 'other' && !isOther);
              if (reason !== 'other') void grading.grade({ grade: 'N', reason });
            }}
          >
            {t(`reason-${reason}`)}
          </Button>
        ))}
      </div>
      {isOther && <OtherReason grading={grading} onSaved={() => setOther(false)} />}
      {newest && (
        <div>
          <Button size="xs" variant="subtle" color="gray" onClick={grading.undo}>
            {t('undo')}
          </Button>
        </div>
      )}
      {earlier.length > 0 && (
        <details className={classes.earlier}>
          <summary>{t('earlier', { count: earlier.length })}</summary>
          {earlier.map((version) => (
            <GradeLine key={version.version} version={version} />
          ))}
        </details>
      )}
    </div>
  );
};
