import { Checkbox, NumberInput, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TemplateDrawing } from '../parts/template-drawing.tsx';
import classes from './new-viewset.module.css';
import { heldLayout, largestGap, mostInLine, type OwnLayout, sizeOf, slotsOf } from './own-layout.rules.ts';

interface OwnLayoutFieldsProps {
  readonly layout: OwnLayout;
  readonly keep: boolean;
  /** Why it cannot be kept; null when it can. */
  readonly keepBarred: string | null;
  readonly onChange: (layout: OwnLayout) => void;
  readonly onKeep: (keep: boolean) => void;
}

/** Rows, columns and their distance, and the mount that they make. */
export const OwnLayoutFields = ({ layout, keep, keepBarred, onChange, onKeep }: OwnLayoutFieldsProps) => {
  const { t } = useTranslation('edit');
  const change = (changed: Partial<OwnLayout>) => onChange(heldLayout({ ...layout, ...changed }));
  /** A field that is empty while somebody types says nothing yet. */
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
        <NumberInput label={t('rows')} min={1} max={mostInLine} {...number('rows')} />
        <NumberInput label={t('columns')} min={1} max={mostInLine} {...number('columns')} />
        <NumberInput label={t('gap')} min={0} max={largestGap} suffix=" %" {...number('gapPercent')} />
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
          label={t('keepAsTemplate')}
          description={keepBarred}
          disabled={keepBarred !== null}
          checked={keep}
          onChange={(event) => onKeep(event.currentTarget.checked)}
        />
      </div>
      <figure className={classes.preview} aria-label={t('layoutSays', { count: rows * columns, rows, columns })}>
        <TemplateDrawing {...sizeOf(layout)} slots={slotsOf(layout)} />
      </figure>
    </div>
  );
};
