//! Functions of the Windows kernel that call nothing of a driver back before they return, and keep no pointer to what it
//! has; from the documentation of the Windows Driver Kit.
//!
//! Those that call dispatch, completion, registry or work routines (`IofCallDriver`, `IoStartPacket`,
//! `KeSynchronizeExecution`, `RtlQueryRegistryValues`, `ZwClose` of a file) are left out, as are those that remember a routine or link an
//! entry into a list.

use super::row::kernel_call;
use crate::library::function::LibraryFunction;
use crate::library::prototype::Kind::{Int, Long, LongLong, Memory, Size, Void};
use crate::library::table::takes;

pub(super) static TABLE: &[LibraryFunction] = &[
    // Atomic operations.
    kernel_call(
        &[
            "InterlockedIncrement",
            "InterlockedDecrement",
            "_InterlockedIncrement",
            "_InterlockedDecrement",
        ],
        takes(Long, &[Memory]),
        &[0],
    ),
    kernel_call(
        &[
            "InterlockedExchange",
            "InterlockedExchangeAdd",
            "InterlockedAnd",
            "InterlockedOr",
            "_InterlockedExchange",
        ],
        takes(Long, &[Memory, Long]),
        &[0],
    ),
    kernel_call(&["InterlockedCompareExchange"], takes(Long, &[Memory, Long, Long]), &[0]),
    // Time.
    kernel_call(&["KeQueryPerformanceCounter"], takes(LongLong, &[Memory]), &[0]),
    kernel_call(&["KeQuerySystemTime", "KeQueryTickCount"], takes(Void, &[Memory]), &[0]),
    kernel_call(&["KeQueryTimeIncrement"], takes(Int, &[]), &[]),
    kernel_call(&["KeQueryInterruptTime"], takes(LongLong, &[]), &[]),
    kernel_call(&["KeStallExecutionProcessor"], takes(Void, &[Int]), &[]),
    kernel_call(&["KeDelayExecutionThread"], takes(Int, &[Int, Int, Memory]), &[]),
    // Events, locks and interrupt levels.
    kernel_call(&["KeInitializeEvent"], takes(Void, &[Memory, Int, Int]), &[0]),
    kernel_call(
        &["KeInitializeSpinLock", "ExInitializeFastMutex", "KeInitializeTimer"],
        takes(Void, &[Memory]),
        &[0],
    ),
    kernel_call(&["KeInitializeMutex", "KeInitializeTimerEx"], takes(Void, &[Memory, Int]), &[0]),
    kernel_call(&["KeInitializeSemaphore"], takes(Void, &[Memory, Long, Long]), &[0]),
    kernel_call(&["KeSetEvent"], takes(Long, &[Memory, Long, Int]), &[0]),
    kernel_call(&["KeReleaseSemaphore"], takes(Long, &[Memory, Long, Long, Int]), &[0]),
    kernel_call(&["KeReleaseMutex"], takes(Long, &[Memory, Int]), &[0]),
    kernel_call(
        &[
            "KeClearEvent",
            "KeReleaseSpinLockFromDpcLevel",
            "KeAcquireSpinLockAtDpcLevel",
            "KefAcquireSpinLockAtDpcLevel",
            "KefReleaseSpinLockFromDpcLevel",
            "ExAcquireFastMutex",
            "ExReleaseFastMutex",
        ],
        takes(Void, &[Memory]),
        &[0],
    ),
    kernel_call(&["KeResetEvent", "KeReadStateEvent"], takes(Long, &[Memory]), &[0]),
    kernel_call(&["KeWaitForSingleObject"], takes(Int, &[Memory, Int, Int, Int, Memory]), &[0]),
    kernel_call(&["KeAcquireSpinLock"], takes(Void, &[Memory, Memory]), &[0, 1]),
    kernel_call(&["KfAcquireSpinLock", "KeAcquireSpinLockRaiseToDpc"], takes(Int, &[Memory]), &[0]),
    kernel_call(&["KfReleaseSpinLock", "KeReleaseSpinLock"], takes(Void, &[Memory, Int]), &[0]),
    kernel_call(&["KeRaiseIrql"], takes(Void, &[Int, Memory]), &[1]),
    kernel_call(&["KfRaiseIrql"], takes(Int, &[Int]), &[]),
    kernel_call(&["KfLowerIrql", "KeLowerIrql"], takes(Void, &[Int]), &[]),
    kernel_call(&["KeGetCurrentIrql"], takes(Int, &[]), &[]),
    kernel_call(&["KeEnterCriticalRegion", "KeLeaveCriticalRegion"], takes(Void, &[]), &[]),
    kernel_call(&["IoAcquireCancelSpinLock"], takes(Void, &[Memory]), &[0]),
    kernel_call(&["IoReleaseCancelSpinLock"], takes(Void, &[Int]), &[]),
    kernel_call(&["IoAcquireRemoveLockEx"], takes(Int, &[Memory, Memory, Memory, Int, Int]), &[0]),
    kernel_call(
        &["IoReleaseRemoveLockEx", "IoReleaseRemoveLockAndWaitEx"],
        takes(Void, &[Memory, Memory, Int]),
        &[0],
    ),
    kernel_call(&["IoInitializeRemoveLockEx"], takes(Void, &[Memory, Int, Int, Int, Int]), &[0]),
    // Devices.
    kernel_call(&["IoCreateSymbolicLink"], takes(Int, &[Memory, Memory]), &[]),
    kernel_call(&["IoDeleteSymbolicLink"], takes(Int, &[Memory]), &[]),
    kernel_call(&["IoOpenDeviceRegistryKey"], takes(Int, &[Memory, Int, Int, Memory]), &[3]),
    kernel_call(&["IoSetDeviceInterfaceState"], takes(Int, &[Memory, Int]), &[]),
    kernel_call(&["IoGetDeviceProperty"], takes(Int, &[Memory, Int, Int, Memory, Memory]), &[3, 4]),
    kernel_call(&["IoWMIRegistrationControl"], takes(Int, &[Memory, Int]), &[]),
    kernel_call(&["IoWMIWriteEvent"], takes(Int, &[Memory]), &[]),
    kernel_call(
        &["IoInvalidateDeviceRelations", "IoSetHardErrorOrVerifyDevice"],
        takes(Void, &[Memory, Memory]),
        &[],
    ),
    kernel_call(&["IoGetConfigurationInformation"], takes(Memory, &[]), &[]),
    kernel_call(&["IoAllocateErrorLogEntry"], takes(Memory, &[Memory, Int]), &[]),
    kernel_call(&["IoWriteErrorLogEntry"], takes(Void, &[Memory]), &[]),
    // Power, and memory.
    kernel_call(&["PoSetPowerState"], takes(Int, &[Memory, Int, Int]), &[]),
    kernel_call(&["MmLockPagableDataSection", "MmPageEntireDriver"], takes(Memory, &[Memory]), &[]),
    kernel_call(
        &["MmUnlockPagableImageSection", "MmResetDriverPaging"],
        takes(Void, &[Memory]),
        &[],
    ),
    // Texts and the registry.
    kernel_call(
        &["RtlInitUnicodeString", "RtlInitAnsiString", "RtlInitString"],
        takes(Void, &[Memory, Memory]),
        &[0],
    ),
    kernel_call(&["RtlCompareUnicodeString"], takes(Long, &[Memory, Memory, Int]), &[]),
    kernel_call(&["RtlEqualUnicodeString"], takes(Int, &[Memory, Memory, Int]), &[]),
    kernel_call(&["RtlUnicodeStringToInteger"], takes(Int, &[Memory, Int, Memory]), &[2]),
    kernel_call(&["RtlCompareMemory"], takes(Size, &[Memory, Memory, Size]), &[]),
    kernel_call(
        &["RtlWriteRegistryValue"],
        takes(Int, &[Int, Memory, Memory, Int, Memory, Int]),
        &[],
    ),
    kernel_call(&["RtlDeleteRegistryValue"], takes(Int, &[Int, Memory, Memory]), &[]),
    kernel_call(&["RtlCheckRegistryKey", "RtlCreateRegistryKey"], takes(Int, &[Int, Memory]), &[]),
    kernel_call(&["ZwOpenKey"], takes(Int, &[Memory, Int, Memory]), &[0]),
    kernel_call(
        &["ZwQueryValueKey"],
        takes(Int, &[Memory, Memory, Int, Memory, Int, Memory]),
        &[3, 5],
    ),
    kernel_call(&["ZwSetValueKey"], takes(Int, &[Memory, Memory, Int, Int, Memory, Int]), &[]),
    // Ports.
    kernel_call(
        &["READ_PORT_UCHAR", "READ_PORT_USHORT", "READ_PORT_ULONG"],
        takes(Int, &[Memory]),
        &[],
    ),
    kernel_call(
        &["WRITE_PORT_UCHAR", "WRITE_PORT_USHORT", "WRITE_PORT_ULONG"],
        takes(Void, &[Memory, Int]),
        &[],
    ),
];
