import { useTranslation } from 'react-i18next';
import { palettes } from '../../../contract/displays.ts';
import classes from './panel.module.css';
import type { Draft } from './use-draft.ts';

/** False colours, each shown as its scale from dark to bright. */
export const PaletteSection = ({ draft }: { draft: Draft }) => {
  const { t } = useTranslation('viewer');
  const { display, change } = draft;
  return (
    <div className={classes.swatches} role="radiogroup" aria-label={t('palette')}>
      {palettes.map((palette) => (
        <label key={palette} className={classes.swatch}>
          <input
            type="radio"
            name="palette"
            value={palette}
            checked={display.palette === palette}
            onChange={() => change({ palette })}
          />
          <span className={classes.scale} data-palette={palette} aria-hidden="true" />
          <span>{t(`palette-${palette}`)}</span>
        </label>
      ))}
    </div>
  );
};
