export declare const COSTLY: readonly string[]
export declare const TIMES: readonly string[]
