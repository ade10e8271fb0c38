import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import { useTranslation } from 'react-i18next';
import classes from './protected-mark.module.css';

interface ProtectedMarkProps {
  readonly of: { readonly protectedIdentity: boolean };
  /** Shows the words beside the icon. */
  readonly withText?: boolean;
}

/** Marks the name of a patient with protected identity; renders nothing for other patients. */
export const ProtectedMark = ({ of, withText = false }: ProtectedMarkProps) => {
  const { t } = useTranslation('search');
  if (!of.protectedIdentity) return null;
  const text = t('protectedIdentity');
  if (withText)
    return (
      <span className={classes.badge}>
        <IconShieldLock aria-hidden="true" />
        {text}
      </span>
    );
  return (
    <>
      {' '}
      <span className={classes.mark} role="img" aria-label={text} title={text}>
        <IconShieldLock aria-hidden="true" />
      </span>
    </>
  );
};
