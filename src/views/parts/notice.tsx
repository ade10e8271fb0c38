import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import type { ReactNode } from 'react';
import classes from './notice.module.css';
import { PageTitle } from './page-title.tsx';

interface NoticeProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly icon?: ReactNode;
  /** The next step, as a button or a link. */
  readonly action?: ReactNode;
  /** Bad news: its sign is red, and one of its own where none is given. */
  readonly urgent?: boolean;
  /** It stands in place of a whole page: its heading is the page's. */
  readonly isPage?: boolean;
}

/** Where there is nothing to show: what that means, and the next step. */
export const Notice = ({ title, text, icon, action, urgent = false, isPage = false }: NoticeProps) => (
  <div className={classes.notice} role={urgent ? 'alert' : 'status'} data-urgent={urgent || undefined}>
    {isPage && <PageTitle>{title}</PageTitle>}
    {(icon || urgent) && <div className={classes.icon}>{icon ?? <IconAlertTriangle aria-hidden="true" />}</div>}
    {isPage ? <h1 className={classes.title}>{title}</h1> : <h2 className={classes.title}>{title}</h2>}
    {text && <p className={classes.text}>{text}</p>}
    {action && <div className={classes.action}>{action}</div>}
  </div>
);
