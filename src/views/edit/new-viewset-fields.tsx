import { Button, Checkbox, NumberInput, SegmentedControl, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Study } from '../../../contract/studies.ts';
import type { Template } from '../../../contract/viewsets.ts';
import { failureOfQuery, useAppQueries } from '../app/queries-context.tsx';
import { TemplateGrid } from '../forms/template-grid.tsx';
import { useRecordFailureText } from '../language/failure-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import { TemplateDrawing } from '../ui/template-drawing.tsx';
import { toast } from '../ui/toast.ts';
import classes from './new-viewset.module.css';
import { clampLayout, maxGap, maxLinesOfLayout, type OwnLayout, sizeOf, slotsOf } from './own-layout.rules.ts';

interface OwnLayoutFieldsProps {
  readonly layout: OwnLayout;
  readonly isTemplate: boolean;
  /** Why it cannot be saved as a template; null when it can. */
  readonly templateDisabledReason: string | null;
  readonly onChange: (layout: OwnLayout) => void;
  readonly onTemplateChange: (isTemplate: boolean) => void;
}

/** Fields for rows, columns and gap, with a preview of the mount. */
export const OwnLayoutFields = ({
  layout,
  isTemplate,
  templateDisabledReason,
  onChange,
  onTemplateChange,
}: OwnLayoutFieldsProps) => {
  const { t } = useTranslation('edit');
  const change = (changed: Partial<OwnLayout>) => onChange(clampLayout({ ...layout, ...changed }));
  /** An empty field keeps its last value while the user types. */
  const number = (name: 'rows' | 'columns' | 'gapPercent') => ({
    allowDecimal: false,
    defaultValue: layout[name],
    onChange: (value: string | number) => {
      if (typeof value === 'number') change({ [name]: value });
    },
  });
  const { rows, columns, isPortrait } = layout;
  return (
    <div className={classes.own}>
      <div className={classes.measures}>
        <NumberInput label={t('rows')} min={1} max={maxLinesOfLayout} {...number('rows')} />
        <NumberInput label={t('columns')} min={1} max={maxLinesOfLayout} {...number('columns')} />
        <NumberInput label={t('gap')} min={0} max={maxGap} suffix=" %" {...number('gapPercent')} />
        <SegmentedControl
          fullWidth
          aria-label={t('slotShape')}
          value={isPortrait ? 'portrait' : 'landscape'}
          onChange={(value) => change({ isPortrait: value === 'portrait' })}
          data={[
            { value: 'landscape', label: t('landscape') },
            { value: 'portrait', label: t('portrait') },
          ]}
        />
        <Checkbox
          label={t('saveAsTemplate')}
          description={templateDisabledReason}
          disabled={templateDisabledReason !== null}
          checked={isTemplate}
          onChange={(event) => onTemplateChange(event.currentTarget.checked)}
        />
      </div>
      <figure className={classes.preview} aria-label={t('layoutSummary', { count: rows * columns, rows, columns })}>
        <TemplateDrawing {...sizeOf(layout)} slots={slotsOf(layout)} />
      </figure>
    </div>
  );
};

interface TemplateChoiceProps {
  /** Null while loading. */
  readonly templates: readonly Template[] | null;
  readonly chosen: Template | null;
  /** Why the templates could not be loaded; null when nothing failed. */
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onChoose: (uuid: string | null) => void;
  /** Creates the mount from the chosen template. */
  readonly onTake: () => void;
}

/** The templates to choose from. */
export const TemplateChoice = ({ templates, chosen, error, onRetry, onChoose, onTake }: TemplateChoiceProps) => {
  const { t } = useTranslation(['edit', 'shell']);
  const failureText = useRecordFailureText();
  const queries = useAppQueries();
  if (error !== null)
    return (
      <div className={classes.message}>
        <IconAlert>{failureText(failureOfQuery(error))}</IconAlert>
        <Button variant="default" onClick={onRetry}>
          {t('shell:retry')}
        </Button>
      </div>
    );
  if (!templates)
    return (
      <div className={classes.grid} aria-busy="true">
        {Array.from({ length: 8 }, (_, index) => index).map((index) => (
          <Skeleton key={index} height={148} />
        ))}
      </div>
    );
  if (templates.length === 0) return <p className={classes.message}>{t('noTemplate')}</p>;
  return (
    <TemplateGrid
      templates={templates}
      chosen={chosen?.uuid ?? null}
      onChoose={(card) => onChoose(card?.uuid ?? null)}
      onTake={onTake}
      onFavor={({ uuid }, isFavorite) => {
        queries.favorTemplate({ uuid, isFavorite }).catch((reason: unknown) => {
          toast({ tone: 'bad', text: failureText(failureOfQuery(reason)), close: t('shell:close') });
        });
      }}
    />
  );
};

interface StudyChoiceProps {
  readonly study: Study | null;
  readonly inNew: boolean;
  /** Why a study cannot be created; null when it can. */
  readonly newDisabledReason: string | null;
  readonly onChange: (inNew: boolean) => void;
}

/** Chooses between the open study and a new study of today. */
export const StudyChoice = ({ study, inNew, newDisabledReason, onChange }: StudyChoiceProps) => {
  const { t } = useTranslation('edit');
  const name = study ? [study.studyDate, study.description].filter(Boolean).join(' ') : null;
  const clipped = (text: string) => (
    <span className={classes.clipped} title={text}>
      {text}
    </span>
  );
  return (
    <div>
      <p className={classes.label}>{t('study')}</p>
      <SegmentedControl
        fullWidth
        aria-label={t('study')}
        value={inNew ? 'new' : 'this'}
        onChange={(value) => onChange(value === 'new')}
        data={[
          ...(study ? [{ value: 'this', label: clipped(name || t('untitledStudy')) }] : []),
          { value: 'new', label: clipped(t('newStudy')), disabled: newDisabledReason !== null },
        ]}
      />
      {newDisabledReason && inNew && <IconAlert>{newDisabledReason}</IconAlert>}
      {newDisabledReason && !inNew && (
        <p className={classes.dimmed}>{t('newStudyDisabled', { reason: newDisabledReason })}</p>
      )}
    </div>
  );
};
