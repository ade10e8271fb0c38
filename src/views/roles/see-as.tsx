import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMissingText } from '../language/claim-text.ts';
import { IconAlert } from '../ui/icon-alert.tsx';
import classes from './see-as.module.css';
import { headerSeenAs, landingSeenAs, missingForSignIn, seenAs } from './see-as.rules.ts';

interface SeeAsProps {
  readonly claims: readonly string[];
  /** The claims are not saved yet. */
  readonly unsaved: boolean;
}

/** Preview of the header in a clinic. */
const HeaderPreview = ({ claims }: { readonly claims: readonly string[] }) => {
  const { t } = useTranslation(['role-admin', 'header', 'shell']);
  const { inClinic, before } = useMemo(() => headerSeenAs(claims), [claims]);
  const things = [
    inClinic.clinicTab && t('header:clinic'),
    inClinic.patientTab && t('header:patient'),
    inClinic.galleryTab && t('header:gallery'),
    inClinic.imports && t('shell:import'),
    (before.clinicsList || inClinic.clinicsList) && t('header:clinics'),
    inClinic.roles && t('header:roles'),
    inClinic.superAdministrators && t('header:superAdministrators'),
    inClinic.log && t('header:log'),
    inClinic.azure && t('header:azure'),
  ].filter((name) => name !== false);
  return (
    <ul className={classes.bar} aria-label={t('bar')}>
      {things.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  );
};

/** Shows which pages, buttons and actions a user with these claims has, and which claim is missing for the others. */
export const SeeAs = ({ claims, unsaved }: SeeAsProps) => {
  const { t } = useTranslation('role-admin');
  const missingText = useMissingText();
  const seen = useMemo(() => seenAs(claims), [claims]);
  const landing = useMemo(() => landingSeenAs(claims), [claims]);
  const signIn = useMemo(() => missingForSignIn(claims), [claims]);
  return (
    <div className={classes.preview}>
      <p className={classes.lead}>
        {t('preview')}
        {unsaved && <strong className={classes.unsaved}>{t('previewUnsaved')}</strong>}
      </p>
      {signIn ? (
        <IconAlert tone="caution">
          {t('cannotSignIn')} {missingText(signIn.claims, signIn.together)}
        </IconAlert>
      ) : (
        <>
          <HeaderPreview claims={claims} />
          <p>{t('landing', { page: t(`can-${landing}`) })}</p>
        </>
      )}
      <div className={classes.parts}>
        {seen.map(({ part, actions }) => (
          <section key={part} aria-label={t(`part-${part}`)}>
            <h3 className={classes.heading}>{t(`part-${part}`)}</h3>
            <ul className={classes.actions}>
              {actions.map(({ action, missing }) => (
                <li key={action} data-shut={missing !== null || undefined}>
                  {missing ? (
                    <IconLock role="img" aria-label={t('notAllowed')} />
                  ) : (
                    <IconCheck role="img" aria-label={t('allowed')} />
                  )}
                  <span>
                    {t(`can-${action}`)}
                    {missing && !signIn && (
                      <span className={classes.missing}>{missingText(missing.claims, missing.together)}</span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
};
