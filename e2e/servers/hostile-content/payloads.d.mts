export declare const PAYLOADS: readonly string[]
export declare const BOMB: string
