import { useTranslation } from 'react-i18next';
import type { SystemDetails } from '../../../contract/system-status.ts';
import { useMomentText } from '../language/file-error-text.ts';
import classes from './parts.module.css';
import { StateMark } from './state-mark.tsx';

/** The running servers of the installation. */
export const NodesSection = ({ nodes }: { readonly nodes: SystemDetails['nodes'] }) => {
  const { t } = useTranslation('system-details');
  const momentText = useMomentText();
  return (
    <section className={classes.nodes}>
      <h3 className={classes.name}>{t('nodes')}</h3>
      <ul className={classes.parts} aria-label={t('nodes')}>
        {nodes.map(({ id, name, state, version, startedAt, seenAt, isThis }) => (
          <li key={id} className={classes.part}>
            <h4 className={classes.name}>{isThis ? t('node-this', { name }) : name}</h4>
            <StateMark state={state}>{state === 'ok' ? t('state-ok') : t(`node-${state}`)}</StateMark>
            <div className={classes.text}>
              <p>Dentarium {version}</p>
              <p>{t('node-started', { at: momentText(startedAt) })}</p>
              <p className={classes.since}>{t('node-seen', { at: momentText(seenAt) })}</p>
            </div>
          </li>
        ))}
      </ul>
      {nodes.some(({ state }) => state !== 'ok') && <p>{t('node-cure')}</p>}
    </section>
  );
};
