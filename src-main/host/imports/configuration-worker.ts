import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { serveJobs } from '../../threads/serve-jobs.ts'
import { type ConfigurationAnswer, type ConfigurationJob, readConfigurationText, readHostConfig } from './configurations.ts'

serveJobs<ConfigurationJob, ConfigurationAnswer>(async ({ text, host }) => {
  try {
    return await (host ? readHostConfig(host, text) : readConfigurationText(text))
  } catch (error) {
    if (error instanceof ConfigError) return { problem: error.message }
    throw error
  }
})
