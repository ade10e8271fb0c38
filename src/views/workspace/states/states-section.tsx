import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { LoadedImage } from '../../../viewer/index.ts';
import { stateDetails, useNotShown, useStateName } from './state-texts.ts';
import classes from './states.module.css';
import type { ChosenStates } from './use-chosen-states.ts';
import type { ImageStates } from './use-image-states.ts';

interface StatesSectionProps {
  readonly states: ImageStates;
  readonly chosen: ChosenStates;
  readonly image: LoadedImage;
  readonly isInMount: boolean;
}

/** Returns whether there is anything to choose or to report. */
export const hasStatesSection = ({ states, unreadable, unsupported, isFailed }: ImageStates): boolean =>
  (states?.length ?? 0) > 0 || unreadable > 0 || unsupported > 0 || isFailed;

/** The choice between the image as stored and its presentation states. */
export const StatesSection = ({ states, chosen, image, isInMount }: StatesSectionProps) => {
  const { t } = useTranslation('viewer');
  const name = useId();
  const nameOf = useStateName();
  const notShownOf = useNotShown();
  const { imageUid, unreadable, unsupported, isFailed } = states;
  const now = chosen.of(imageUid);
  const notShown = now ? notShownOf(now, image, isInMount) : [];
  const all = states.states ?? [];
  return (
    <>
      {all.length > 0 && (
        <div className={classes.choice} role="radiogroup" aria-label={t('section-states')}>
          {[null, ...all].map((state) => (
            <label key={state?.id ?? ''} className={classes.state}>
              <input
                type="radio"
                name={name}
                checked={(now?.id ?? null) === (state?.id ?? null)}
                onChange={() => chosen.choose(state)}
              />
              <span className={classes.name}>{state ? nameOf(state) : t('stateNone')}</span>
              {state && <span className={classes.details}>{stateDetails(state)}</span>}
            </label>
          ))}
        </div>
      )}
      <div role="status">
        {notShown.length > 0 && <p className={classes.missing}>{t('stateNotShown', { parts: notShown.join(', ') })}</p>}
      </div>
      {unsupported > 0 && <p className={classes.missing}>{t('statesUnsupported', { count: unsupported })}</p>}
      {unreadable > 0 && <p className={classes.missing}>{t('statesUnreadable', { count: unreadable })}</p>}
      {isFailed && <p className={classes.missing}>{t('statesFailed')}</p>}
    </>
  );
};
