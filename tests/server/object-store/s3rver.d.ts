/** The part of s3rver that tests use; the package has no types. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  interface S3Store {
    rootDirectory: string;
    getResourcePath(bucket: string, key: string, resource: string): string;
    putMetadata(bucket: string, key: string, metadata: unknown, md5: string): Promise<void>;
    copyObject(fromBucket: string, from: string, toBucket: string, to: string, metadata: unknown): Promise<unknown>;
    putObject(object: S3Object): Promise<{ size: number; md5: string }>;
    putPart(bucket: string, uploadId: string, partNumber: string, content: Readable): Promise<{ md5: string }>;
    putObjectMultipart(
      bucket: string,
      uploadId: string,
      parts: readonly { number: number; etag: string }[],
    ): Promise<unknown>;
  }
  interface S3Object {
    bucket: string;
    key: string;
    content: Readable;
    metadata: unknown;
  }
  export default class S3rver {
    constructor(options: {
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs: string[] }[];
    });
    readonly store: S3Store;
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}

declare module 's3rver/lib/models/error.js' {
  export default class S3Error extends Error {
    constructor(code: string, message: string);
    readonly status: number;
    toXML(): string;
  }
}

declare module 's3rver/lib/models/account.js' {
  const accounts: { registry: Map<string, unknown> };
  export default accounts;
}
