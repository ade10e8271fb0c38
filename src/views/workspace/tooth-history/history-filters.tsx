import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImageKind } from '../../../../contract/image-kinds.ts';
import { jawOf, sextantOf } from '../../../../contract/teeth.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import { type HistoryView, type Span, spans } from './history-url.ts';
import classes from './tooth-history.module.css';

/** Returns the name of a span of teeth: "Tooth 36", "Lower left sextant", "Lower jaw". */
export const useSpanText = () => {
  const { t } = useTranslation('tooth-history');
  const toothText = useToothText();
  return ({ tooth, span }: Pick<HistoryView, 'tooth' | 'span'>): string => {
    if (tooth === null || span === 'all') return t('all');
    if (span === 'tooth') return t('tooth', { name: toothText([tooth]) });
    return span === 'jaw' ? t(`jaw-${jawOf(tooth)}`) : t(`sextant-${sextantOf(tooth)}`);
  };
};

interface ToggleProps {
  readonly label: string;
  /** Null without a number. */
  readonly count: number | null;
  readonly on: boolean;
  readonly onToggle: () => void;
}

const Toggle = ({ label, count, on, onToggle }: ToggleProps) => (
  <button type="button" className={classes.toggle} aria-pressed={on} onClick={onToggle}>
    {label} {count !== null && <span className={classes.count}>{count}</span>}
  </button>
);

interface HistoryFiltersProps {
  readonly view: HistoryView;
  /** Places of the teeth of the open image, to choose from when there are several. */
  readonly places: readonly number[];
  readonly kinds: readonly (readonly [kind: ImageKind, count: number])[];
  /** Panoramic radiographs without teeth. */
  readonly panoramics: number;
  readonly onTooth: (tooth: number) => void;
  readonly onChange: (view: Partial<HistoryView>) => void;
}

/** Which teeth and kinds the history shows. */
export const HistoryFilters = ({ view, places, kinds, panoramics, onTooth, onChange }: HistoryFiltersProps) => {
  const { t } = useTranslation('tooth-history');
  const spanText = useSpanText();
  const toothText = useToothText();
  const { tooth } = view;
  return (
    <div className={classes.filters}>
      {view.span === 'tooth' && places.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div role="group" aria-label={t('teethOfImage')} className={classes.toggles}>
          {places.map((place) => (
            <Toggle
              key={place}
              label={toothText([place])}
              count={null}
              on={place === tooth}
              onToggle={() => onTooth(place)}
            />
          ))}
        </div>
      )}
      {tooth !== null && (
        <NativeSelect
          className={classes.span}
          aria-label={t('span')}
          value={view.span}
          data={spans.map((span) => ({
            value: span,
            label: span === 'tooth' ? t('thisTooth') : spanText({ tooth, span }),
          }))}
          onChange={({ currentTarget }) => {
            const span = spans.find((one): one is Span => one === currentTarget.value);
            if (span) onChange({ span });
          }}
        />
      )}
      {kinds.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
        <div role="group" aria-label={t('kinds')} className={classes.toggles}>
          {kinds.map(([kind, count]) => (
            <Toggle
              key={kind}
              label={t(`kind-${kind}`)}
              count={count}
              on={view.kinds.includes(kind)}
              onToggle={() =>
                onChange({
                  kinds: view.kinds.includes(kind) ? view.kinds.filter((one) => one !== kind) : [...view.kinds, kind],
                })
              }
            />
          ))}
        </div>
      )}
      {panoramics > 0 && (
        <Toggle
          label={t('panoramics')}
          count={panoramics}
          on={view.panoramics}
          onToggle={() => onChange({ panoramics: !view.panoramics })}
        />
      )}
    </div>
  );
};
