import type { ReactNode } from 'react';
import classes from './notice.module.css';
import { PageTitle } from './page-title.tsx';

interface NoticeProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly icon?: ReactNode;
  /** The next step, as a button or a link. */
  readonly action?: ReactNode;
  readonly urgent?: boolean;
  /** It stands in place of a whole page: its heading is the page's. */
  readonly isPage?: boolean;
}

/** Where there is nothing to show: what that means, and the next step. */
export const Notice = ({ title, text, icon, action, urgent = false, isPage = false }: NoticeProps) => (
  <div className={classes.notice} role={urgent ? 'alert' : 'status'}>
    {isPage && <PageTitle>{title}</PageTitle>}
    {icon && <div className={classes.icon}>{icon}</div>}
    {isPage ? <h1 className={classes.title}>{title}</h1> : <h2 className={classes.title}>{title}</h2>}
    {text && <p className={classes.text}>{text}</p>}
    {action && <div className={classes.action}>{action}</div>}
  </div>
);
